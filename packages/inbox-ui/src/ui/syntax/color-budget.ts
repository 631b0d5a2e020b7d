import { createContext } from 'react';

/** Maximum number of coloured words of a view: each is an element, and a text can consist of words of one character. */
export const MAX_COLORED_TOKENS = 20_000;

/** What one text of a view may colour. */
export interface ColorShare {
  /** @returns whether this many words may be coloured; if not, the text has no further colours */
  take(tokens: number): boolean;
  /** Returns all words of the share to the budget, because they are no longer displayed. */
  release(): void;
}

/** Coloured words that are left for the texts of a view. The texts get their colours one after another. */
export class ColorBudget {
  #left: number;
  #lastRun: Promise<unknown> = Promise.resolve();

  constructor(tokens = MAX_COLORED_TOKENS) {
    this.#left = tokens;
  }

  /** Colours a text after the texts before it, so that the first ones have colours if there are too many. */
  run<T>(colorText: () => Promise<T>): Promise<T> {
    const result = this.#lastRun.then(colorText);
    this.#lastRun = result.catch(() => undefined);
    return result;
  }

  openShare(): ColorShare {
    let taken = 0;
    let isUsedUp = false;
    return {
      take: (tokens) => {
        isUsedUp ||= tokens > this.#left;
        if (isUsedUp) return false;
        this.#left -= tokens;
        taken += tokens;
        return true;
      },
      release: () => {
        this.#left += taken;
        taken = 0;
        isUsedUp = true;
      },
    };
  }
}

/** For texts of which only the visible lines are in the document. */
export const UNLIMITED_SHARE: ColorShare = Object.freeze({ take: () => true, release: () => undefined });

/** Budget that the texts of a view share; `undefined`: each text has its own. */
export const ColorBudgetContext = createContext<ColorBudget | undefined>(undefined);
