/** Conversations as this product keeps them: a daily note per date, a line per turn. */
export interface Turn {
  readonly id: string;
  readonly speaker: string;
  readonly text: string;
  readonly image?: string | undefined;
}

export class Notes {
  readonly #files = new Map<string, string[]>();
  readonly #places = new Map<string, { path: string; line: number }>();
  #lastDay = "1970-01-01";

  /** `when` as in "1:56 pm on 8 May, 2023". */
  addSession(when: string, turns: readonly Turn[]): void {
    const { date, time } = parseWhen(when);
    if (date > this.#lastDay) this.#lastDay = date;
    for (const { id, speaker, text, image } of turns) {
      const caption = image === undefined ? "" : ` [image: ${image}]`;
      this.add(`memory/${date}.md`, id, `- ${time} ${speaker}: ${text}${caption}`);
    }
  }

  add(path: string, id: string, text: string): void {
    const heading = /(\d{4}-\d{2}-\d{2})\.md$/.exec(path)?.[1];
    const lines = this.#files.get(path) ?? (heading === undefined ? [] : [`# ${heading}`, ""]);
    this.#files.set(path, lines);
    lines.push(text.replaceAll(/\s*\n\s*/g, " "));
    this.#places.set(id, { path, line: lines.length });
  }

  get files() {
    return [...this.#files].map(([path, lines]) => ({ path, text: `${lines.join("\n")}\n` }));
  }

  /** The latest day there is: questions are asked then. */
  get today(): string {
    return this.#lastDay;
  }

  /** Which of these are within the lines of a result. */
  within(ids: readonly string[], found: { path: string; from: number; to: number }): string[] {
    return ids.filter((id) => {
      const place = this.#places.get(id);
      if (place?.path !== found.path) return false;
      return found.from <= place.line && place.line <= found.to;
    });
  }
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

function parseWhen(when: string): { date: string; time: string } {
  const match = /(\d+):(\d+)\s*([ap])m on (\d+) (\w{3})\w*,? (\d{4})/i.exec(when);
  if (!match) throw new Error(`cannot read the date "${when}"`);
  const [, hour = "0", minute = "00", half = "a", day = "1", month = "", year = "1970"] = match;
  const hours = (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  const two = (value: number) => String(value).padStart(2, "0");
  const number = months.indexOf(month.toLowerCase()) + 1;
  return { date: `${year}-${two(number)}-${two(Number(day))}`, time: `${two(hours)}:${minute}` };
}
