/**
 * The Markdown model every channel renders from: a tree of blocks whose text is flat runs with marks.
 * Runs instead of a tree of spans, so that text can be cut anywhere and stays well-formed; a renderer
 * gets nesting from `nestInline` (inline.ts). Raw HTML does not exist here: it is literal text, and so
 * are mail addresses and `<!channel>`-like tags. Not a CommonMark tree: link titles, reference
 * definitions, loose/tight and soft/hard break differences are gone on purpose.
 * Plain JSON data: no class, no cycle, never mutated.
 */

/** Fixed order, outermost first, for marks that cover the same text. `code` is always innermost. */
export const markNames = ["bold", "italic", "strike", "spoiler", "link", "code"] as const;
export type MarkName = (typeof markNames)[number];

export interface Marks {
  readonly bold?: true;
  readonly italic?: true;
  readonly strike?: true;
  readonly spoiler?: true;
  /** Absolute URL (http, https, mailto, tel, tg), entities decoded, not escaped for any platform. */
  readonly link?: string;
  readonly code?: true;
}

/** Text that is shown as it stands (entities decoded, nothing escaped); "\n" is a line break. */
export interface Run {
  readonly text: string;
  readonly marks: Marks;
}

/** Neighbouring runs differ in their marks and none is empty. */
export type Inline = readonly Run[];

export interface Paragraph {
  readonly type: "paragraph";
  readonly content: Inline;
}

export interface Heading {
  readonly type: "heading";
  /** 1 to 6. */
  readonly level: number;
  readonly content: Inline;
}

export interface Code {
  readonly type: "code";
  /** First word of the info string, `""` when there is none. */
  readonly language: string;
  /** Without the fences and without the last line's end. */
  readonly text: string;
}

export interface Quote {
  readonly type: "quote";
  readonly children: readonly Block[];
}

export interface List {
  readonly type: "list";
  readonly ordered: boolean;
  /** Number of the first item; 1 when not ordered. A piece of a cut list continues the count. */
  readonly start: number;
  readonly items: readonly ListItem[];
}

export interface ListItem {
  readonly children: readonly Block[];
  /** Present on a task item. */
  readonly checked?: boolean;
  /** The rest of an item that was cut: it keeps its number, but its marker is not shown again. */
  readonly continued?: true;
}

export type Alignment = "left" | "center" | "right" | null;
export type TableRow = readonly Inline[];

export interface Table {
  readonly type: "table";
  readonly alignment: readonly Alignment[];
  /** Empty in a piece that continues a cut table: the header is not repeated. */
  readonly header: TableRow;
  /** Every row has `alignment.length` cells. */
  readonly rows: readonly TableRow[];
}

export interface Rule {
  readonly type: "rule";
}

export type Block = Paragraph | Heading | Code | Quote | List | Table | Rule;
