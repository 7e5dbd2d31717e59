// Counts the records of a segment file by value size, from C++: the header as it is, the handle in a
// unique_ptr, the tables as ranges.
//
// usage: inspect_cpp FILE
#include <fstream>
#include <iostream>
#include <iterator>
#include <kcodec.h>
#include <memory>
#include <vector>

namespace {

struct free_decoder {
    void operator()(kcodec_decoder *decoder) const { kcodec_decoder_free(decoder); }
};
using decoder_ptr = std::unique_ptr<kcodec_decoder, free_decoder>;

decoder_ptr new_decoder()
{
    kcodec_decode_options options = KCODEC_DECODE_OPTIONS_INIT;
    kcodec_decoder *decoder = nullptr;
    options.flags = KCODEC_DECODE_KEEP_GOING;
    return decoder_ptr(kcodec_decoder_new(&options, &decoder, nullptr) == KCODEC_OK ? decoder : nullptr);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 2 || kcodec_check_abi(KCODEC_ABI, nullptr) != KCODEC_OK) {
        std::cerr << "usage: inspect_cpp FILE\n";
        return 1;
    }
    std::ifstream file(argv[1], std::ios::binary);
    const std::vector<char> input{std::istreambuf_iterator<char>(file), {}};
    const decoder_ptr decoder = new_decoder();
    kcodec_records records;
    kcodec_error err;
    const auto *bytes = reinterpret_cast<const uint8_t *>(input.data());
    if (!decoder || kcodec_decode(decoder.get(), bytes, input.size(), &records, &err) != KCODEC_OK) {
        std::cerr << "cannot decode\n";
        return 1;
    }
    long long nulls = 0, size = 0;
    for (const kcodec_record *row = records.records; row != records.records + records.record_count; ++row) {
        nulls += row->value_len < 0;
        size += row->value_len < 0 ? 0 : row->value_len;
    }
    std::cout << records.record_count << " records, " << size << " bytes of values, " << nulls << " null\n";
    return records.fault_count != 0;
}
