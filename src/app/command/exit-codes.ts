/** The exit codes of commands, with what each means; docs/exit-codes.md says what to do. */

/** The meaning of each code that a command may end with. */
export type ExitCodes = Readonly<Record<number, string>>;

export const ANY: ExitCodes = { 0: "success, or nothing to do", 64: "usage error" };

/** The codes of a command that reads files. */
export const OFFLINE: ExitCodes = {
  ...ANY,
  1: "invalid files, an unreachable service, or a refusal; nothing was written",
};

/** The codes of a command that reads the service. */
export const ONLINE: ExitCodes = { ...OFFLINE, 6: "authentication or permission error", 130: "interrupted" };

/** The codes of a command that writes to the service. */
export const WRITING: ExitCodes = {
  ...ONLINE,
  3: "an approval is missing, or a resource is protected; nothing was written",
  4: "partly applied, or the result is unknown; the journal says which",
  5: "the plan is no longer valid; nothing was written",
};

/** The paragraph of a command's help. Numbers as keys are in ascending order. */
export function exitCodeHelp(codes: ExitCodes): string {
  const lines = Object.entries(codes).map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`);
  return `\nExit codes:\n${lines.join("\n")}\n`;
}
