/** A row of a table of two columns. */
export interface PageRow {
  label: string
  value: string
  /** A second line below the label. */
  detail?: string | undefined
  /** Whether it is the sum of those above. */
  main?: boolean | undefined
}

/** A field of a form: for text, or with `options` for one of them. */
export interface PageField {
  /** Its label. */
  field: string
  name: string
  value?: string | undefined
  /** An example, shown while it is empty. */
  example?: string | undefined
  /** The keys that a telephone shows. */
  keys?: 'email' | 'numeric' | 'tel' | undefined
  /** Whether it takes half of the width. */
  half?: boolean | undefined
  /** Whether it may be left empty. */
  optional?: boolean | undefined
  options?: readonly { label: string; value: string }[] | undefined
}

/** A button of a form. */
export interface PageButton {
  button: string
  /** Sent with the form, when this button is pressed. */
  name?: string | undefined
  /** @default '1' */
  value?: string | undefined
  /** A second line below its text. */
  detail?: string | undefined
  /** Whether it is the one that most visitors press. */
  main?: boolean | undefined
}

/** One part of a page. */
export type PagePart =
  /** A paragraph. */
  | string
  /** A paragraph in small letters. */
  | { note: string }
  /** What went wrong. */
  | { alert: string }
  /** What has happened. */
  | { status: string }
  | { heading: string }
  /** `name` is the list's name for screen readers and tests. */
  | { list: readonly (string | PageButton)[]; name: string }
  | { rows: readonly PageRow[]; name: string }
  /** Fields and buttons that are sent together: to the page itself, unless `to` says where. */
  | { form: readonly PagePart[]; to?: string | undefined; hidden?: Readonly<Record<string, string>> | undefined }
  | PageField
  /** A box to tick, without which the form is not sent. */
  | { check: string; name: string }
  | PageButton
  | { link: string; to: string }

/** A page for people: text from the server, without a script. */
export interface Page {
  /** Its title, and its heading. */
  title: string
  /** Absent ones are left out. */
  parts: readonly (PagePart | undefined)[]
  /** @default 200 */
  status?: number | undefined
}

/** An address to which a browser goes on. */
export interface PageRedirect {
  to: string
}

/** The fields of a form that a browser has sent. */
export type SentForm = Readonly<Record<string, string>>
