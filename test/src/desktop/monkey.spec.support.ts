import { Monkey, type MonkeyPlan } from '../monkey/monkey.spec.support.js';
import { MONKEY_USER, MonkeyInbox } from '../monkey/monkey-inbox.spec.support.js';
import { SeededRandom } from '../seeded-random.spec.support.js';
import { openApproval } from './deciding.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';

export function describeMonkeyInElectron({ name, seed, actions, minVotes }: MonkeyPlan): void {
  (hasElectron() ? describe : describe.skip)(`desktop: random actions in the inbox, ${name}`, function () {
    this.timeout(1_800_000);
    let inbox: MonkeyInbox;
    let screen: Screen;
    let desktop: Desktop;

    before(async () => {
      [inbox, screen] = await Promise.all([MonkeyInbox.open(), Screen.start()]);
      desktop = await startDesktop({ screen });
    });

    after(async () => {
      await desktop?.close();
      if (desktop !== undefined) deleteUserData(desktop.userData);
      await screen?.stop();
      await inbox?.close();
    });

    it('should record exactly the votes that were confirmed on screen', async () => {
      const random = new SeededRandom(seed);
      const { app, page } = desktop;
      await signIn(desktop, inbox.countersign, 'approver', MONKEY_USER);
      await page.locator('[data-live="live"]').waitFor();
      await page.clock.install();
      const resizeWindow = async (choices: SeededRandom): Promise<void> =>
        app.evaluate(
          ({ BrowserWindow }, [width, height]) => BrowserWindow.getAllWindows()[0]?.setSize(width ?? 0, height ?? 0),
          choices.pick([
            [1280, 800],
            [1000, 700],
            [800, 600],
            [1500, 1000],
          ]),
        );
      const hideAndShowWindow = async (): Promise<void> =>
        app.evaluate(({ BrowserWindow }) => {
          const [window] = BrowserWindow.getAllWindows();
          window?.hide();
          window?.show();
        });
      const followLink = async (choices: SeededRandom): Promise<void> => {
        const approval = choices.pick([...inbox.approvals.values()]);
        await page.keyboard.press('Escape');
        await openApproval(desktop, approval);
      };
      const monkey = await Monkey.start({
        page,
        inbox,
        random,
        extraActions: [
          [1, resizeWindow],
          [1, hideAndShowWindow],
          [1, followLink],
        ],
      });
      await monkey.play({ actions, minVotes });
      await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(1280, 800));
      await monkey.checkVotes(minVotes);
    });
  });
}
