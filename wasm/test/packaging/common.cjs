const kcodec = require("kcodec");
const inline = require("kcodec/inline");

import("./read.mjs").then(({ read }) => {
  const answers = [read(kcodec.decodeRecords), read(inline.decodeRecords)];
  console.log(answers[0] === answers[1] ? answers[0] : answers);
});
