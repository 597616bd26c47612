/** The style sheet and the script of a plan's page, compiled from src/view/browser/ by scripts/compile-page.mjs. */
declare module "#page-assets" {
  export const STYLE: string;
  export const SCRIPT: string;
}
