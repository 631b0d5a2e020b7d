import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { within } from '../measure/within.js';

/** Time between keys of an experienced user, and of one who reads; in ms. */
const BETWEEN_KEYS_MS = 120;
const READING_MS = 1_000;

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

const MOVES = { effect: 'another', of: ['.cs-inbox-item[aria-current="true"]', '.cs-decision'] } as const;
const FORM = ['.cs-decision-foot form'];
const CHOSEN = ['.cs-inbox-item[aria-selected="true"]'];
const HELP = ['[role="dialog"]'];
const OUTBOX = ['.cs-outbox:not([hidden])'];

const down: MeasuredKey = { key: 'j', ...MOVES };
const up: MeasuredKey = { key: 'k', ...MOVES };
const begin: MeasuredKey = { key: 'a', effect: 'shown', of: FORM };
const giveUp: MeasuredKey = { key: 'Escape', name: 'Escape, of the form', effect: 'gone', of: FORM };

/** Keys through the list, with one decision that is undone. */
export const DECIDING: readonly MeasuredKey[] = [
  down,
  down,
  up,
  down,
  { key: 'x', effect: 'shown', of: CHOSEN },
  { key: 'x', effect: 'gone', of: CHOSEN },
  begin,
  { key: 'Enter', name: 'Enter, which sends', effect: 'shown', of: OUTBOX },
  { key: 'u', effect: 'gone', of: OUTBOX },
  giveUp,
  { key: '?', effect: 'shown', of: HELP },
  { key: 'Escape', effect: 'gone', of: HELP, animated: true },
];

/** Keys through approvals with much to read, with their evidence. */
export const READING: readonly MeasuredKey[] = [
  { ...down, afterReading: true },
  { key: 'e', effect: 'shown', of: ['.cs-decision [aria-expanded="true"][aria-label$="notes.md"]'] },
  begin,
  giveUp,
  down,
  { ...up, afterReading: true },
];

/** Returns the ms from each key until its effect was painted, by key. */
export async function keyTimes(
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
      await delay(key.afterReading === true ? READING_MS : BETWEEN_KEYS_MS);
      const ms = await timeOf(page, key);
      if (round >= 0 && key.animated !== true) (times[key.name ?? key.key] ??= []).push(ms);
    }
  }
  return times;
}

async function timeOf(page: Page, { key, name, effect, of }: MeasuredKey): Promise<number> {
  await page.evaluate(
    ([kind, selectors]) => {
      const find = (): readonly (Element | null)[] => selectors.map((selector) => document.querySelector(selector));
      const before = find();
      const isThere = (): boolean =>
        find().every((now, index) =>
          kind === 'gone' ? now === null : now !== null && (kind === 'shown' || now !== before[index]),
        );
      const painted = new Promise<number>((resolve) => {
        let pressedAt: number | undefined;
        const look = (): void => {
          if (pressedAt === undefined || !isThere()) return;
          const since = pressedAt;
          observer.disconnect();
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - since)));
        };
        const observer = new MutationObserver(look);
        observer.observe(document.body, { subtree: true, childList: true, attributes: true });
        window.addEventListener('keydown', (event) => (pressedAt = event.timeStamp), { capture: true, once: true });
      });
      Object.assign(globalThis, { painted });
    },
    [effect, of] as const,
  );
  await page.keyboard.press(key);
  return within(
    20_000,
    `The key ${name ?? key} has no effect.`,
    page.evaluate(() => (globalThis as unknown as { painted: Promise<number> }).painted),
  );
}
