# find_package(kcodec CONFIG) gives kcodec::kcodec (shared, or static where there is no shared library) and
# kcodec::static. Everything is found relative to this file, in PREFIX/share/cmake/kcodec.

get_filename_component(kcodec_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

find_path(kcodec_INCLUDE_DIR kcodec.h PATHS "${kcodec_prefix}/include" NO_DEFAULT_PATH)
set(kcodec_libdirs "${kcodec_prefix}/lib" "${kcodec_prefix}/lib64"
    "${kcodec_prefix}/lib/${CMAKE_LIBRARY_ARCHITECTURE}" "${kcodec_prefix}/bin")
find_library(kcodec_SHARED NAMES libkcodec.so libkcodec.dylib kcodec.dll.lib kcodec.dll.a
    PATHS ${kcodec_libdirs} NO_DEFAULT_PATH)
find_library(kcodec_STATIC NAMES libkcodec.a kcodec.lib PATHS ${kcodec_libdirs} NO_DEFAULT_PATH)
mark_as_advanced(kcodec_INCLUDE_DIR kcodec_SHARED kcodec_STATIC)

if(NOT kcodec_INCLUDE_DIR OR NOT (kcodec_SHARED OR kcodec_STATIC))
    set(kcodec_FOUND FALSE)
    set(kcodec_NOT_FOUND_MESSAGE "no header or no library under ${kcodec_prefix}")
    return()
endif()

if(kcodec_STATIC AND NOT TARGET kcodec::static)
    add_library(kcodec::static STATIC IMPORTED)
    set_target_properties(kcodec::static PROPERTIES
        IMPORTED_LOCATION "${kcodec_STATIC}" INTERFACE_INCLUDE_DIRECTORIES "${kcodec_INCLUDE_DIR}")
    # What Rust's standard library links; the list for Linux is that of native-static-libs.txt.
    if(WIN32)
        set_target_properties(kcodec::static PROPERTIES
            INTERFACE_LINK_LIBRARIES "kernel32;ntdll;userenv;ws2_32;dbghelp")
    elseif(NOT APPLE)
        set_target_properties(kcodec::static PROPERTIES
            INTERFACE_LINK_LIBRARIES "gcc_s;util;rt;pthread;m;dl;c")
    endif()
endif()

if(NOT TARGET kcodec::kcodec)
    if(kcodec_SHARED)
        add_library(kcodec::kcodec UNKNOWN IMPORTED)
        set_target_properties(kcodec::kcodec PROPERTIES
            IMPORTED_LOCATION "${kcodec_SHARED}" INTERFACE_INCLUDE_DIRECTORIES "${kcodec_INCLUDE_DIR}")
    else()
        add_library(kcodec::kcodec ALIAS kcodec::static)
    endif()
endif()
