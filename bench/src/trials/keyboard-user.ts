import { errors, type Locator, type Page } from 'playwright-core';
import { readScreen, type VisibleText } from './read-screen.js';

/** Tab presses after which the user gives up. */
const MAX_TABS = 60;

/** Time after which a key that opens an item has had no effect. */
const DISPLAY_TIMEOUT_MS = 10_000;

/** Presses keys and counts them. Waits only until their effect is displayed. */
export class KeyboardUser {
  /** Number of key presses, without the characters of comments; a combination like Ctrl+Enter counts as one. */
  keyCount = 0;
  /** Number of typed characters of comments. */
  typedCount = 0;

  constructor(readonly page: Page) {}

  async press(key: string): Promise<void> {
    this.keyCount += 1;
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.typedCount += text.length;
    await this.page.keyboard.type(text);
  }

  /** Moves the focus with Tab until an element has it that matches the selector. */
  async tabTo(selector: string): Promise<void> {
    for (let count = 0; count < MAX_TABS; count += 1) {
      await this.press('Tab');
      if ((await this.page.locator(`:is(${selector}):focus`).count()) > 0) return;
    }
    throw new Error(`Tab does not lead to ${selector}.`);
  }

  async waitForFocus(locator: string): Promise<void> {
    await this.page.locator(`:is(${locator}):focus`).waitFor();
  }

  waitFor(locator: Locator): Promise<void> {
    return locator.first().waitFor();
  }

  /** Waits until another item than the given one is displayed completely; returns `undefined` if none is. */
  async waitForOtherItem(previous: string | undefined): Promise<VisibleText | undefined> {
    try {
      await this.page.waitForFunction(
        (previousItem) => {
          const article = document.querySelector<HTMLElement>('article[data-approval], article.cs-question');
          // The raw data is the last part of an approval.
          const isComplete =
            article?.matches('.cs-question') === true || (article?.querySelector('[role="tree"]') ?? null) !== null;
          const item = article?.dataset['approval'] ?? article?.querySelector('.cs-question-text')?.textContent;
          return isComplete && item !== previousItem;
        },
        previous,
        { polling: 'raf', timeout: DISPLAY_TIMEOUT_MS },
      );
    } catch (error) {
      if (error instanceof errors.TimeoutError) return undefined;
      throw error;
    }
    return readScreen(this.page);
  }

  /** Scrolls the displayed item by one screen, and waits until it has come to rest. */
  async scroll(key: 'PageDown' | 'PageUp'): Promise<VisibleText> {
    await this.press(key);
    await this.page.evaluate(async () => {
      const body = document.querySelector('.cs-decision-body');
      const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      const getTop = (): number => body?.scrollTop ?? 0;
      const start = getTop();
      for (let frame = 0; frame < 30 && getTop() === start; frame += 1) await nextFrame();
      for (let top = Number.NaN, still = 0; still < 10; top = getTop()) {
        await nextFrame();
        still = getTop() === top ? still + 1 : 0;
      }
    });
    return readScreen(this.page);
  }
}
