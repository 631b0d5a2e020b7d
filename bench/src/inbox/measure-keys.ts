import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { withTimeout } from '../measure/with-timeout.js';

/** Pauses before a key in ms: of an experienced user, and of a user who first reads the approval. */
const BETWEEN_KEYS_MS = 120;
const READING_PAUSE_MS = 1_000;

/** Key and its expected effect on the screen: elements appear, disappear or are replaced by others. */
interface MeasuredKey {
  readonly key: string;
  readonly name?: string;
  readonly effect: 'shown' | 'gone' | 'replaced';
  /** Selectors of the elements in which the effect is visible. All of them must show it. */
  readonly selectors: readonly string[];
  /** Whether the user reads the approval before this key, so that everything is rendered. */
  readonly afterReading?: true;
  /** Whether the effect is animated. Its time is then not reported. */
  readonly animated?: true;
}

const SELECTION_MOVES = {
  effect: 'replaced',
  selectors: ['.cs-inbox-item[aria-current="true"]', '.cs-decision'],
} as const;
const DECISION_FORM = ['.cs-decision-foot form'];
const SELECTED_ITEM = ['.cs-inbox-item[aria-selected="true"]'];
const HELP_DIALOG = ['[role="dialog"]'];

const moveDown: MeasuredKey = { key: 'j', ...SELECTION_MOVES };
const moveUp: MeasuredKey = { key: 'k', ...SELECTION_MOVES };
const openForm: MeasuredKey = { key: 'a', effect: 'shown', selectors: DECISION_FORM };
const closeForm: MeasuredKey = { key: 'Escape', name: 'Escape in the form', effect: 'gone', selectors: DECISION_FORM };

/** Keys that move through the list, with one vote that is undone. */
export const DECIDING_KEYS: readonly MeasuredKey[] = [
  moveDown,
  moveDown,
  moveUp,
  moveDown,
  { key: 'x', effect: 'shown', selectors: SELECTED_ITEM },
  { key: 'x', effect: 'gone', selectors: SELECTED_ITEM },
  openForm,
  { key: 'Control+Enter', name: 'Ctrl+Enter to vote, until the next is displayed', ...SELECTION_MOVES },
  { key: 'u', name: 'u, until the undone vote is displayed', ...SELECTION_MOVES },
  closeForm,
  { key: '?', effect: 'shown', selectors: HELP_DIALOG },
  { key: 'Escape', effect: 'gone', selectors: HELP_DIALOG, animated: true },
];

/** Keys that move through approvals with much to read and open their evidence. */
export const READING_KEYS: readonly MeasuredKey[] = [
  { ...moveDown, afterReading: true },
  { key: 'e', effect: 'shown', selectors: ['.cs-decision [aria-expanded="true"][aria-label$="notes.md"]'] },
  openForm,
  closeForm,
  moveDown,
  { ...moveUp, afterReading: true },
];

/** Measures the time from each key until its effect is painted, in ms, by key. */
export async function measureKeys(
  page: Page,
  keys: readonly MeasuredKey[],
  passCount: number,
): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = {};
  await page.locator('.cs-inbox-item').first().waitFor();
  // The first key selects an approval: none is selected before it.
  await page.keyboard.press('j');
  await page.locator('.cs-decision h2').waitFor();
  for (let pass = -1; pass < passCount; pass += 1) {
    for (const key of keys) {
      await delay(key.afterReading === true ? READING_PAUSE_MS : BETWEEN_KEYS_MS);
      const ms = await measureKey(page, key);
      if (pass >= 0 && key.animated !== true) (times[key.name ?? key.key] ??= []).push(ms);
    }
  }
  return times;
}

async function measureKey(page: Page, { key, name, effect, selectors: effectSelectors }: MeasuredKey): Promise<number> {
  await page.evaluate(
    ([kind, selectors]) => {
      const find = (): readonly (Element | null)[] => selectors.map((selector) => document.querySelector(selector));
      const initialElements = find();
      const hasEffect = (): boolean =>
        find().every((current, index) =>
          kind === 'gone'
            ? current === null
            : current !== null && (kind === 'shown' || current !== initialElements[index]),
        );
      const painted = new Promise<number>((resolve) => {
        let pressedAt: number | undefined;
        const checkEffect = (): void => {
          if (pressedAt === undefined || !hasEffect()) return;
          const startedAt = pressedAt;
          observer.disconnect();
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - startedAt)));
        };
        const observer = new MutationObserver(checkEffect);
        observer.observe(document.body, { subtree: true, childList: true, attributes: true });
        window.addEventListener('keydown', (event) => (pressedAt = event.timeStamp), { capture: true, once: true });
      });
      Object.assign(globalThis, { painted });
    },
    [effect, effectSelectors] as const,
  );
  await page.keyboard.press(key);
  return withTimeout(
    20_000,
    `The key ${name ?? key} has no effect.`,
    page.evaluate(() => (globalThis as unknown as { painted: Promise<number> }).painted),
  );
}
