// Loaded before a measured program. Writes the resource usage of its process to the file in BENCH_USAGE when it ends.

const { writeFileSync } = require("node:fs");

const file = process.env.BENCH_USAGE;
delete process.env.BENCH_USAGE;
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(file, JSON.stringify({ processor: (userCPUTime + systemCPUTime) / 1000, peak: maxRSS * 1024 }));
});
