import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

type AriaRole = Parameters<Page['getByRole']>[0];

interface TabTarget {
  /** Element in which to search. By default, the whole page. */
  readonly within?: Locator;
  readonly exact?: boolean;
  /** Whether to press Shift+Tab instead of Tab. */
  readonly isBackward?: boolean;
}

const MAX_TABS = 80;

/** Simulated user who has only a keyboard and must see the focus. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  /** Presses Tab until this element has the focus. */
  async tabTo(
    role: AriaRole,
    name: string | RegExp,
    { within, exact = false, isBackward = false }: TabTarget = {},
  ): Promise<void> {
    const locator = (within ?? this.page).getByRole(role, { name, exact });
    await locator.first().waitFor({ state: 'attached' });
    const visited: string[] = [];
    for (let tabs = 0; tabs <= MAX_TABS; tabs += 1) {
      if (await hasFocus(locator)) return this.expectFocusVisible();
      await this.page.keyboard.press(isBackward ? 'Shift+Tab' : 'Tab');
      visited.push(await this.describeFocused());
      expect(
        visited.at(-1) !== visited.at(-2) || visited.at(-2) !== visited.at(-3),
        `The focus is trapped at ${visited.at(-1)}`,
      ).to.equal(true);
    }
    expect.fail(`Tab did not reach ${role} "${String(name)}": ${visited.join(' > ')}`);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Replaces the content of the field. */
  async replaceText(text: string): Promise<void> {
    await this.press('Control+A');
    await this.page.keyboard.type(text);
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  /** Tabs to the element and presses Enter. */
  async activate(role: AriaRole, name: string | RegExp, target: TabTarget = {}): Promise<void> {
    await this.tabTo(role, name, target);
    await this.press('Enter');
  }

  /** Tabs to a field and types into it. */
  async fill(role: AriaRole, name: string | RegExp, text: string, target: TabTarget = {}): Promise<void> {
    await this.tabTo(role, name, target);
    await this.replaceText(text);
  }

  /** Waits until this element has the focus. */
  async expectFocus(locator: Locator): Promise<void> {
    await locator.first().waitFor();
    await this.page
      .waitForFunction((element) => element === document.activeElement, await locator.first().elementHandle())
      .catch(async () =>
        expect.fail(`The focus is not at ${locator.toString()} but at ${await this.describeFocused()}`),
      );
  }

  /** Waits until the focus is in this part of the page. */
  async expectFocusWithin(region: Locator): Promise<void> {
    await region.first().waitFor();
    await this.page
      .waitForFunction(
        (element) => element?.contains(document.activeElement) === true,
        await region.first().elementHandle(),
      )
      .catch(async () =>
        expect.fail(`The focus is not in ${region.toString()} but at ${await this.describeFocused()}`),
      );
  }

  /** Asserts that the focus did not fall back to the top of the document. */
  async expectFocusKept(): Promise<void> {
    await this.page
      .waitForFunction(() => document.activeElement !== null && document.activeElement !== document.body)
      .catch(() => expect.fail('The focus is lost.'));
  }

  private describeFocused(): Promise<string> {
    return this.page.evaluate(() => {
      const focusedElement = document.activeElement;
      return focusedElement === null
        ? 'nothing'
        : `${focusedElement.tagName.toLowerCase()}[${focusedElement.getAttribute('aria-label') ?? (focusedElement as HTMLElement).innerText?.slice(0, 40).trim() ?? ''}]${focusedElement.id === '' ? '' : `#${focusedElement.id}`}`;
    });
  }

  /** Asserts that the focused element is on the screen and not completely covered (WCAG 2.4.7 and 2.4.11). */
  private async expectFocusVisible(): Promise<void> {
    const hiddenElement = await this.page.evaluate(() => {
      let focusedElement = document.activeElement;
      // The UI kit draws radio buttons and switches as part of their labels.
      if (focusedElement instanceof HTMLInputElement && ['radio', 'checkbox', 'file'].includes(focusedElement.type))
        focusedElement = focusedElement.labels?.[0] ?? focusedElement;
      if (focusedElement === null) return 'nothing';
      const { left, top, right, bottom } = focusedElement.getBoundingClientRect();
      const [x, y] = [
        Math.max(0, left) / 2 + Math.min(innerWidth, right) / 2,
        Math.max(0, top) / 2 + Math.min(innerHeight, bottom) / 2,
      ];
      const probePoints = [
        [x, y],
        [left + 3, top + 3],
        [right - 3, bottom - 3],
      ];
      const isVisible = probePoints.some(([px, py]) => {
        const topElement = document.elementFromPoint(px ?? 0, py ?? 0);
        return (
          topElement !== null &&
          (focusedElement.contains(topElement) ||
            topElement.contains(focusedElement) ||
            topElement.closest('label')?.contains(focusedElement) === true)
        );
      });
      return isVisible ? '' : `${focusedElement.outerHTML.slice(0, 200)} at ${left},${top} to ${right},${bottom}`;
    });
    expect(hiddenElement, 'the focused element is not visible').to.equal('');
  }
}

function hasFocus(locator: Locator): Promise<boolean> {
  return locator.evaluateAll((elements) => elements.some((element) => element === document.activeElement));
}
