/** The style sheet and the script of the emulator's pages, compiled from src/view/browser/ by scripts/compile-page.mjs. */
declare module "#web-assets" {
  export const STYLE: string;
  export const SCRIPT: string;
}
