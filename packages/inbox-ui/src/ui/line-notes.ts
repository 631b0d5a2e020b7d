import { createContext, type ReactNode } from 'react';

/** A line of a difference. */
export interface LinePlace {
  /** Path of the file; undefined: the text is not a file. */
  readonly file: string | undefined;
  readonly side: 'before' | 'after';
  /** Line number on this side. */
  readonly number: number;
}

/** Notes about the lines of a text, such as comments. */
export interface LineNotes {
  /** Returns what is displayed below a line; `undefined`: nothing. */
  renderBelow(place: LinePlace, text: string): ReactNode | undefined;
  /** Returns the control that writes a note about a line by its number, for people who use no mouse. */
  renderControl(
    file: string | undefined,
    findText: (side: LinePlace['side'], line: number) => string | undefined,
  ): ReactNode;
  /** Starts a note about a line; omitted if the user may not write notes. */
  readonly onWrite?: ((place: LinePlace, text: string) => void) | undefined;
}

/** Notes about the lines of the displayed text; `undefined`: it has none. */
export const LineNotesContext = createContext<LineNotes | undefined>(undefined);
