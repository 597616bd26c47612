/** Pages for browsers that are not signed in yet, and for errors. */

import type { Markup } from "../markup.ts";

/** The page of a browser without a session. */
export function SignInPage({ isUsed }: { readonly isUsed: boolean }): Markup {
  return (
    <section class="panel narrow">
      <h1>{isUsed ? "This link no longer works" : "Sign in"}</h1>
      <p>
        {isUsed
          ? "A link opens the pages once, in one browser. Restart the emulator to get a new one."
          : "Open the link that the emulator printed when it started. It works once, and this browser stays signed in until the emulator stops."}
      </p>
      <p class="quiet">
        Programs use the interface under <code>/api/v1</code> with a token.
      </p>
    </section>
  );
}

/** The page that a valid link opens. It goes to the overview by itself: a redirect from another site would leave the cookie behind. */
export function SignedInPage(): Markup {
  return (
    <section class="panel narrow">
      <h1>Signed in</h1>
      <p>
        <a href="/">Go to the workspace</a>
      </p>
    </section>
  );
}

export function ErrorPage({ title, message }: { readonly title: string; readonly message: string }): Markup {
  return (
    <section class="panel narrow">
      <h1>{title}</h1>
      <p class="text">{message}</p>
      <p>
        <a href="/">Back to the overview</a>
      </p>
    </section>
  );
}
