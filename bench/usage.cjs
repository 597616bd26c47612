// Loaded before a program that is measured: writes what its process has used, as it ends, into the file that BENCH_USAGE names.

const { writeFileSync } = require("node:fs");

const file = process.env.BENCH_USAGE;
delete process.env.BENCH_USAGE;
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(file, JSON.stringify({ processor: (userCPUTime + systemCPUTime) / 1000, peak: maxRSS * 1024 }));
});
