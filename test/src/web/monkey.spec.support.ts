import type { Browser } from 'playwright-core';
import { Monkey, type MonkeyPlan } from '../monkey/monkey.spec.support.js';
import { MONKEY_USER, MonkeyInbox } from '../monkey/monkey-inbox.spec.support.js';
import { SeededRandom } from '../seeded-random.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, type Window } from './web.spec.support.js';

export function describeMonkeyInBrowser({ name, seed, actions, minVotes }: MonkeyPlan): void {
  (hasBrowser() ? describe : describe.skip)(`web: a monkey at the inbox, ${name}`, function () {
    this.timeout(1_800_000);
    let inbox: MonkeyInbox;
    let browser: Browser;
    let window: Window;

    before(async () => {
      [inbox, browser] = await Promise.all([MonkeyInbox.open(), launchBrowser()]);
    });

    after(async () => {
      await browser?.close();
      await inbox?.close();
    });

    it('should count exactly the votes that were confirmed on screen', async () => {
      const random = new SeededRandom(seed);
      const { url } = inbox.countersign;
      window = await openWindow(browser, {
        url,
        token: await inbox.countersign.token('approver', { subject: MONKEY_USER }),
      });
      const { page } = window;
      await page.clock.install();
      await page.goto(`${url}/approvals`);
      await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
      const resizeWindow = async (choices: SeededRandom): Promise<void> =>
        page.setViewportSize(
          choices.pick([
            { width: 1280, height: 800 },
            { width: 1000, height: 700 },
            { width: 800, height: 600 },
            { width: 1600, height: 1000 },
          ]),
        );
      // Never leaves the application. Because going back takes a while, only one back navigation runs at a time.
      const createHistoryAction = (offset: number) => async (): Promise<void> => {
        await page.evaluate((steps) => {
          const scope = globalThis as { monkeyGoesBack?: boolean };
          if (steps < 0) {
            const index = (globalThis.history.state as { idx?: number } | null)?.idx ?? 0;
            if (scope.monkeyGoesBack === true || index === 0) return;
            scope.monkeyGoesBack = true;
            addEventListener('popstate', () => (scope.monkeyGoesBack = false), { once: true });
          }
          globalThis.history.go(steps);
        }, offset);
      };
      const monkey = await Monkey.start({
        page,
        inbox,
        random,
        extraActions: [
          [1, resizeWindow],
          [1, createHistoryAction(-1)],
          [1, createHistoryAction(1)],
        ],
      });
      await monkey.play({ actions, minVotes });
      await page.setViewportSize({ width: 1280, height: 800 });
      await monkey.checkVotes(minVotes);
      await window.close();
    });
  });
}
