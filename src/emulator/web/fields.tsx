/** Fields of forms, each with its label, and the button of a form. */

import type { Markup } from "./markup.ts";
import type { PageContext } from "./page.ts";
import { Pill } from "./parts.tsx";

/** The properties of every field. */
interface FieldProps {
  /** The id of the element, and the name of the value unless `name` is another one. */
  readonly id: string;
  readonly name?: string;
  readonly label: Markup;
  /** Whether an answer is needed. The service decides, so that a refusal marks every missing one. */
  readonly isRequired?: boolean;
  /** An explanation below the field. */
  readonly note?: Markup;
  /** The problem with the value of the last attempt. */
  readonly error?: string | undefined;
}

export function TextField(props: FieldProps & { readonly value: string }): Markup {
  return (
    <Labeled {...props}>
      <input type="text" {...attributesOf(props)} value={props.value} autocomplete="off" />
    </Labeled>
  );
}

/** A text of several lines. */
export function TextArea(
  props: FieldProps & { readonly value: string; readonly rows: number; readonly isCode?: boolean },
): Markup {
  const { value, rows, isCode = false } = props;
  return (
    <Labeled {...props}>
      <textarea {...attributesOf(props)} rows={rows} class={isCode ? "code" : undefined} spellcheck={!isCode}>
        {value}
      </textarea>
    </Labeled>
  );
}

/** A choice of one value, or of several. */
export function Choice(
  props: FieldProps & {
    readonly options: readonly (readonly [value: string, label: string])[];
    readonly value: readonly string[];
    readonly several?: boolean;
  },
): Markup {
  const { options, value, several = false } = props;
  return (
    <Labeled {...props}>
      <select {...attributesOf(props)} multiple={several}>
        {options.map(([option, label]) => (
          <option value={option} selected={value.includes(option)}>
            {label}
          </option>
        ))}
      </select>
    </Labeled>
  );
}

/** The attributes of every input: its names, and the text below it, which says whether its value is wrong. */
function attributesOf({ id, name = id, isRequired, error }: FieldProps): Readonly<Record<string, string | undefined>> {
  return {
    id,
    name,
    "aria-describedby": `${id}-note`,
    "aria-required": isRequired === true ? "true" : undefined,
    "aria-invalid": error === undefined ? undefined : "true",
    // The first of them gets the focus.
    autofocus: error === undefined ? undefined : "autofocus",
  };
}

function Labeled({
  id,
  label,
  isRequired,
  note,
  error,
  children,
}: FieldProps & { readonly children?: Markup }): Markup {
  return (
    <div class="field-row">
      <label for={id} class="text">
        {label} {isRequired === true ? <Pill>required</Pill> : null}
      </label>
      {children}
      <div id={`${id}-note`}>
        {note === undefined ? null : <p class="quiet">{note}</p>}
        {error === undefined ? null : <p class="alarm text">{error}</p>}
      </div>
    </div>
  );
}

/** The button of a form with the token of the session; a sentence instead if the form changes something and pages are read only. */
export function Submit({
  context: { isWritable, formToken },
  isReadOnly = false,
  children,
}: {
  readonly context: PageContext;
  /** The form changes nothing. */
  readonly isReadOnly?: boolean;
  readonly children?: Markup;
}): Markup {
  return (
    <>
      <input type="hidden" name="form_token" value={formToken} />
      {isWritable || isReadOnly ? (
        <button type="submit" class="main">
          {children}
        </button>
      ) : (
        <p class="quiet">
          These pages are read only. To change the workspace here, start the emulator with <code>--control</code>.
        </p>
      )}
    </>
  );
}

/** The reason why a form did nothing. */
export function Problem({ children }: { readonly children?: Markup }): Markup {
  return (
    <div class="problem text" role="alert">
      {children}
    </div>
  );
}
