import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { withTimeout } from '../measure/with-timeout.js';

/** Time between keys of an experienced user, and of one who reads; in ms. */
const BETWEEN_KEYS_MS = 120;
const READING_PAUSE_MS = 1_000;

/** Key and its expected effect on the screen. */
interface MeasuredKey {
  readonly key: string;
  readonly name?: string;
  readonly effect: 'shown' | 'gone' | 'another';
  /** Selectors of the effect, all of which must match. */
  readonly of: readonly string[];
  /** The user has read before this key: everything is rendered. */
  readonly afterReading?: true;
  /** The effect is animated, so its time is not reported. */
  readonly animated?: true;
}

const SELECTION_MOVES = { effect: 'another', of: ['.cs-inbox-item[aria-current="true"]', '.cs-decision'] } as const;
const DECISION_FORM = ['.cs-decision-foot form'];
const SELECTED_ITEM = ['.cs-inbox-item[aria-selected="true"]'];
const HELP_DIALOG = ['[role="dialog"]'];
const PENDING_VOTE_BAR = ['.cs-outbox:not([hidden])'];

const down: MeasuredKey = { key: 'j', ...SELECTION_MOVES };
const up: MeasuredKey = { key: 'k', ...SELECTION_MOVES };
const openForm: MeasuredKey = { key: 'a', effect: 'shown', of: DECISION_FORM };
const closeForm: MeasuredKey = { key: 'Escape', name: 'Escape, of the form', effect: 'gone', of: DECISION_FORM };

/** Keys through the list, with one decision that is undone. */
export const DECIDING_KEYS: readonly MeasuredKey[] = [
  down,
  down,
  up,
  down,
  { key: 'x', effect: 'shown', of: SELECTED_ITEM },
  { key: 'x', effect: 'gone', of: SELECTED_ITEM },
  openForm,
  { key: 'Enter', name: 'Enter, which sends', effect: 'shown', of: PENDING_VOTE_BAR },
  { key: 'u', effect: 'gone', of: PENDING_VOTE_BAR },
  closeForm,
  { key: '?', effect: 'shown', of: HELP_DIALOG },
  { key: 'Escape', effect: 'gone', of: HELP_DIALOG, animated: true },
];

/** Keys through approvals with much to read, with their evidence. */
export const READING_KEYS: readonly MeasuredKey[] = [
  { ...down, afterReading: true },
  { key: 'e', effect: 'shown', of: ['.cs-decision [aria-expanded="true"][aria-label$="notes.md"]'] },
  openForm,
  closeForm,
  down,
  { ...up, afterReading: true },
];

/** Returns the ms from each key until its effect was painted, by key. */
export async function measureKeys(
  page: Page,
  keys: readonly MeasuredKey[],
  rounds: number,
): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = {};
  await page.locator('.cs-inbox-item').first().waitFor();
  // The first key selects an approval: none is selected before it.
  await page.keyboard.press('j');
  await page.locator('.cs-decision h2').waitFor();
  for (let round = -1; round < rounds; round += 1) {
    for (const key of keys) {
      await delay(key.afterReading === true ? READING_PAUSE_MS : BETWEEN_KEYS_MS);
      const ms = await measureKey(page, key);
      if (round >= 0 && key.animated !== true) (times[key.name ?? key.key] ??= []).push(ms);
    }
  }
  return times;
}

async function measureKey(page: Page, { key, name, effect, of: effectSelectors }: MeasuredKey): Promise<number> {
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
