// A batch with one record under gzip, and what is in it.

const batch =
  "AAAAAAAAAAcAAABe/////wIdQwH4AAEAAAAAAAABi8/laAAAAAGLz+VoAP//////////////////AAAAAR+LCAAAAAAAAP8zYGBg" +
  "YMpWykjNyclXSCvKz1XITs5PSU1mAAByz5aQGQAAAA==";

export function read(decodeRecords) {
  const bytes = Uint8Array.from(atob(batch), (byte) => byte.charCodeAt(0));
  const [record] = decodeRecords(bytes);
  return `${record.offset} ${new TextDecoder().decode(record.value)}`;
}
