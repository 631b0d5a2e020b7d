import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

type AriaRole = Parameters<Page['getByRole']>[0];

interface Target {
  /** Searches only in this element. */
  readonly within?: Locator;
  readonly exact?: boolean;
  /** Uses Shift+Tab. */
  readonly back?: boolean;
}

const MAX_TABS = 80;

/** A user with only a keyboard, who needs to see the focus. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  /** Presses Tab until this element has the focus. */
  async tabTo(
    role: AriaRole,
    name: string | RegExp,
    { within, exact = false, back = false }: Target = {},
  ): Promise<void> {
    const wanted = (within ?? this.page).getByRole(role, { name, exact });
    await wanted.first().waitFor({ state: 'attached' });
    const seen: string[] = [];
    for (let tabs = 0; tabs <= MAX_TABS; tabs += 1) {
      if (await hasFocus(wanted)) return this.expectSeen();
      await this.page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
      seen.push(await this.focused());
      expect(
        seen.at(-1) !== seen.at(-2) || seen.at(-2) !== seen.at(-3),
        `The focus is trapped at ${seen.at(-1)}`,
      ).to.equal(true);
    }
    expect.fail(`${role} "${String(name)}" is not come to by Tab: ${seen.join(' > ')}`);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Replaces the content of the field. */
  async write(text: string): Promise<void> {
    await this.press('Control+A');
    await this.page.keyboard.type(text);
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  /** Tabs to the element and presses Enter. */
  async activate(role: AriaRole, name: string | RegExp, target: Target = {}): Promise<void> {
    await this.tabTo(role, name, target);
    await this.press('Enter');
  }

  /** Tabs to a field and types into it. */
  async fill(role: AriaRole, name: string | RegExp, text: string, target: Target = {}): Promise<void> {
    await this.tabTo(role, name, target);
    await this.write(text);
  }

  /** Waits until this element has the focus. */
  async expectAt(wanted: Locator): Promise<void> {
    await wanted.first().waitFor();
    await this.page
      .waitForFunction((element) => element === document.activeElement, await wanted.first().elementHandle())
      .catch(async () => expect.fail(`The focus is not at ${wanted.toString()} but at ${await this.focused()}`));
  }

  /** Waits until the focus is in this part of the page. */
  async expectWithin(part: Locator): Promise<void> {
    await part.first().waitFor();
    await this.page
      .waitForFunction(
        (element) => element?.contains(document.activeElement) === true,
        await part.first().elementHandle(),
      )
      .catch(async () => expect.fail(`The focus is not in ${part.toString()} but at ${await this.focused()}`));
  }

  /** Asserts that the focus did not fall back to the top of the document. */
  async expectKept(): Promise<void> {
    await this.page
      .waitForFunction(() => document.activeElement !== null && document.activeElement !== document.body)
      .catch(() => expect.fail('The focus is lost.'));
  }

  private focused(): Promise<string> {
    return this.page.evaluate(() => {
      const at = document.activeElement;
      return at === null
        ? 'nothing'
        : `${at.tagName.toLowerCase()}[${at.getAttribute('aria-label') ?? (at as HTMLElement).innerText?.slice(0, 40).trim() ?? ''}]${at.id === '' ? '' : `#${at.id}`}`;
    });
  }

  /** WCAG 2.4.7 and 2.4.11: the focused element is on the screen, and not completely covered. */
  private async expectSeen(): Promise<void> {
    const hidden = await this.page.evaluate(() => {
      let at = document.activeElement;
      // The UI kit draws radio buttons and switches as part of their labels.
      if (at instanceof HTMLInputElement && ['radio', 'checkbox', 'file'].includes(at.type)) at = at.labels?.[0] ?? at;
      if (at === null) return 'nothing';
      const { left, top, right, bottom } = at.getBoundingClientRect();
      const [x, y] = [
        Math.max(0, left) / 2 + Math.min(innerWidth, right) / 2,
        Math.max(0, top) / 2 + Math.min(innerHeight, bottom) / 2,
      ];
      const points = [
        [x, y],
        [left + 3, top + 3],
        [right - 3, bottom - 3],
      ];
      const seen = points.some(([px, py]) => {
        const there = document.elementFromPoint(px ?? 0, py ?? 0);
        return (
          there !== null && (at.contains(there) || there.contains(at) || there.closest('label')?.contains(at) === true)
        );
      });
      return seen ? '' : `${at.outerHTML.slice(0, 200)} at ${left},${top} to ${right},${bottom}`;
    });
    expect(hidden, 'What has the focus is not seen').to.equal('');
  }
}

function hasFocus(wanted: Locator): Promise<boolean> {
  return wanted.evaluateAll((elements) => elements.some((element) => element === document.activeElement));
}
