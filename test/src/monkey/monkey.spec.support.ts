import { seconds } from '@countersign/testing';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { MonkeyInbox } from './monkey-inbox.spec.support.js';
import { checkVotes } from './check-votes.spec.support.js';
import { observeScreen, type ScreenEvent } from './screen-observer.spec.support.js';
import type { SeededRandom } from '../seeded-random.spec.support.js';

const KEYS = [
  'j',
  'j',
  'j',
  'k',
  'a',
  'a',
  'r',
  'c',
  'u',
  'e',
  'e',
  'x',
  'x',
  '1',
  '2',
  '3',
  'Enter',
  'Enter',
  'Space',
  'Escape',
  'Escape',
  'Tab',
  'Tab',
  'Shift+Tab',
  'ArrowDown',
  'ArrowUp',
  'Home',
  'End',
  '?',
  'Control+Enter',
] as const;
const WORDS = [
  'Read',
  'it',
  'all',
  'and',
  'agree',
  'as',
  'far',
  'jokes',
  'exceed',
  'careful',
  'review',
  'under',
  'keys',
];
/** Controls that would end the session, leave the application, or open something outside it. */
const FORBIDDEN_CONTROLS =
  /sign out|api documentation|download|save|forget this server|add server|copy|customize shortcuts|notifications and startup|out of office|open in the desktop/i;
/** Number of approvals that should wait for the monkey. */
const PENDING_APPROVALS = 24;
const REFILL_INTERVAL = 400;
/** Actions per extension of a plan, and the maximum total as a multiple of the plan. */
const EXTENSION_ACTIONS = 50;
const MAX_PLAN_FACTOR = 4;

/** Maximum share of confirmed decisions whose outcome the screen may leave open. */
const MAX_UNJUDGED_SHARE = 0.02;

/** Seed and length of one monkey run. */
export interface MonkeyPlan {
  /** Part of the test title. */
  readonly name: string;
  /** The same seed repeats the same choices. */
  readonly seed: string;
  /** Minimum number of keys and clicks. */
  readonly actions: number;
  /** Minimum number of votes to compare. With fewer votes the run continues, and finally fails. */
  readonly minVotes: number;
}

/** Plan of the gate: few actions, fixed seed. Same as part 1 of `npm run monkey -- --seed g3 --actions 1200`. */
export const GATE_PLAN: MonkeyPlan = { name: '300 actions, fixed seed', seed: 'g3-1', actions: 300, minVotes: 2 };

/** Plans with fewer actions need not reach the usual minimum of votes. */
const MIN_ACTIONS_FOR_VOTES = 1_000;

/**
 * Returns the plan that `scripts/monkey.mjs` requests.
 * @param part number that distinguishes runs with the same seed
 */
export function planForPart(part: number): MonkeyPlan {
  const { MONKEY_SEED: seed = 'none', MONKEY_ACTIONS = '2500' } = process.env;
  const actions = Number(MONKEY_ACTIONS);
  return { name: `part ${part}`, seed: `${seed}-${part}`, actions, minVotes: actions < MIN_ACTIONS_FOR_VOTES ? 1 : 10 };
}

interface Clickable {
  readonly x: number;
  readonly y: number;
  readonly name: string;
}

interface MonkeyOptions {
  readonly page: Page;
  readonly inbox: MonkeyInbox;
  readonly random: SeededRandom;
  /** Actions that only this application supports. */
  readonly extraActions: readonly (readonly [weight: number, run: (random: SeededRandom) => Promise<void>])[];
}

/** Presses keys and clicks at random, and records its actions and what the screen displayed. */
export class Monkey {
  readonly seen: ScreenEvent[] = [];
  private readonly actionLog: string[] = [];
  private actions = 0;
  /** Number of actions after which the inbox is refilled. */
  private refillAt = 0;
  private turn = 0;
  /** Random choices of the current turn. */
  private random: SeededRandom;

  private constructor(private readonly options: MonkeyOptions) {
    this.random = options.random;
  }

  static async start(options: MonkeyOptions): Promise<Monkey> {
    const monkey = new Monkey(options);
    // Long, because on a slow machine a shorter timeout would be reported as a finding.
    options.page.setDefaultTimeout(seconds(60));
    options.page.on('load', () => void monkey.actionLog.push('(the page was loaded)'));
    await observeScreen(options.page, FORBIDDEN_CONTROLS, (seen) => monkey.seen.push(seen));
    return monkey;
  }

  /** Plays until there are enough votes to compare: their number also depends on the response times of the server. */
  async play({ actions, minVotes }: Pick<MonkeyPlan, 'actions' | 'minVotes'>): Promise<void> {
    const { inbox } = this.options;
    await this.act(actions);
    while (this.actions < MAX_PLAN_FACTOR * actions && (await inbox.listCountedVotes()).length < minVotes)
      await this.act(this.actions + EXTENSION_ACTIONS);
  }

  /** @param count total of keys and clicks, including earlier ones */
  private async act(count: number): Promise<void> {
    const { inbox, page, extraActions } = this.options;
    while (this.actions < count) {
      const random = (this.random = this.options.random.derive((this.turn += 1)));
      if (this.actions >= this.refillAt) {
        await inbox.fill(random, Math.max(0, PENDING_APPROVALS - (await inbox.countPending())));
        this.refillAt = this.actions + REFILL_INTERVAL;
      }
      await random
        .weighted<() => Promise<void>>([
          [50, () => this.press(random.pick(KEYS))],
          [14, () => this.click()],
          [20, () => this.clickDecisionControl()],
          [6, () => this.returnToInbox()],
          [3, () => this.doubleClick()],
          [6, () => this.write()],
          [4, () => this.press('g', random.pick(['r', 'a', 'a', 'a', 'q', 'w']))],
          [2, () => this.press('Control+k', random.pick(['j', 'a', 'r', 'u']), random.pick(['Enter', 'Escape']))],
          [3, () => this.press('j', 'x')],
          [5, () => this.decide()],
          [2, () => this.approveInBulk()],
          [2, () => page.mouse.wheel(0, random.pick([-600, 300, 900]))],
          [8, () => this.press('Control+Enter')],
          [14, () => this.waitMs(random.pick([300, 1_500, 6_000, 6_000]))],
          [2, () => inbox.actAsOthers(random)],
          ...extraActions.map(([weight, run]) => [weight, () => run(random)] as const),
        ])()
        .catch((error: unknown) => this.fail([`The monkey could not continue: ${String(error)}`]));
    }
  }

  /**
   * Waits for all results, checks that the application still responds, and compares the votes. @throws {AssertionError}
   * with seed and actions
   */
  async checkVotes(minVotes: number): Promise<void> {
    const { page, inbox, random } = this.options;
    await this.waitMs(6_000);
    await this.waitUntilSettled('sent in|sending');
    const { title } = await inbox.createApproval('plain');
    for (let tries = 0; tries < 6; tries += 1) await page.keyboard.press('Escape');
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await this.openApproval(title).catch((error: unknown) =>
      this.fail([`The application no longer responds at ${page.url()}: ${String(error)}`]),
    );
    await page.getByRole('heading', { level: 2, name: title }).waitFor();
    const needsConfirmation = (title: string): boolean =>
      ['high', 'critical'].includes(
        [...inbox.approvals.values()].find((each) => each.title === title)?.riskLevel ?? '',
      );
    const counted = await inbox.listCountedVotes();
    const { faults, unjudged } = checkVotes({ seen: this.seen, counted, needsConfirmation });
    const confirmed = this.seen.filter(({ kind }) => kind === 'confirmed').length;
    process.stderr.write(
      `The monkey (seed ${random.seed}) has pressed and clicked ${this.actions} times and confirmed ${confirmed} times; the server has ${counted.length} votes, and the screen left the outcome of ${unjudged} decisions open.\n`,
    );
    if (faults.length > 0) this.fail(faults);
    if (unjudged > Math.max(1, confirmed * MAX_UNJUDGED_SHARE))
      this.fail([`The screen left the outcome of ${unjudged} of ${confirmed} decisions open.`]);
    if (counted.length < minVotes)
      this.fail([`The server has ${counted.length} votes, but the comparison needs at least ${minVotes}.`]);
  }

  /** Waits for the responses to sent decisions. Without the wait, the monkey would only exceed request limits. */
  private async waitUntilSettled(progress = 'sending'): Promise<void> {
    await this.options.page.waitForFunction(
      (pendingPattern) => {
        const progressText = document.querySelector('section[aria-label="Your decisions"]')?.textContent ?? '';
        const bulkDialogTexts = [...document.querySelectorAll('[role="dialog"]')]
          .map((each) => each.textContent ?? '')
          .filter((text) => /^Approve \d+ requests? together\?/.test(text));
        return [progressText, ...bulkDialogTexts].every((text) => !new RegExp(pendingPattern, 'i').test(text));
      },
      progress,
      { timeout: seconds(60) },
    );
  }

  private async openApproval(title: string): Promise<void> {
    const { page } = this.options;
    await page.getByRole('searchbox', { name: 'Search approvals' }).fill(title);
    await page.clock.fastForward(500);
    await page.getByRole('row', { name: title }).first().click();
  }

  private fail(faults: readonly string[]): never {
    const eventLog = this.seen
      .filter((each) => faults.some((fault) => eventTitles(each).some((title) => fault.includes(`“${title}”`))))
      .map((each) => JSON.stringify(each));
    expect.fail(
      `MONKEY_SEED=${this.options.random.seed.replace(/-\d+$/, '')}\n${faults.join('\n')}\nMatching screen events:\n${eventLog.join('\n')}\nLast actions: ${this.actionLog.slice(-80).join(' ')}`,
    );
  }

  private async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.logAction(key);
      await this.options.page.keyboard.press(key);
    }
  }

  private async click(): Promise<void> {
    const clickable = await this.pickClickable();
    if (clickable !== undefined) await this.clickAt(clickable);
  }

  private async doubleClick(): Promise<void> {
    const clickable = await this.pickClickable();
    if (clickable === undefined) return;
    this.logAction(`double click on “${clickable.name}”`);
    await this.options.page.mouse.click(clickable.x, clickable.y, { clickCount: 2 });
    this.actions += 1;
  }

  /** Returns to the inbox from anywhere else, because decisions are made there. */
  private async returnToInbox(): Promise<void> {
    const { page } = this.options;
    if (await page.getByRole('grid', { name: 'Approval requests' }).isVisible()) return;
    await this.press('Escape', 'Escape');
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await this.press('g', 'a', 'j');
  }

  /** Clicks a control that confirms a decision, if one is visible. */
  private async clickDecisionControl(): Promise<void> {
    const found = await this.findClickables(
      '[role="dialog"] button, article form button[type="submit"], article [role="form"] button[type="submit"], .cs-decision-actions button, [role="group"] button',
    );
    const decisionControls = found.filter(({ name }) =>
      /^(Approve|Reject|Request changes|Yes, approve|Yes, propose them|Undo)/.test(name),
    );
    const mayUndo = this.random.chance(0.1);
    const candidates = decisionControls.filter(({ name }) => mayUndo || !name.startsWith('Undo'));
    if (candidates.length > 0) await this.clickAt(this.random.pick(candidates));
  }

  /** Decides with the keyboard like an experienced user, so that there are enough votes to compare. */
  private async decide(): Promise<void> {
    const { random } = this;
    await this.press(...(random.chance(0.3) ? ['j'] : []), random.pick(['a', 'a', 'r', 'c']));
    await this.write();
    await this.press('Control+Enter');
  }

  private async approveInBulk(): Promise<void> {
    await this.press('x', 'j', 'x', 'j', 'x', 'a');
    await this.clickDecisionControl();
  }

  /** Types a comment, which stays complete while its form is open and focused. */
  private async write(): Promise<void> {
    const { random } = this;
    const { page } = this.options;
    const fields = await this.findClickables('article form textarea, article [role="form"] textarea');
    const field = fields.find(({ name }) => name.startsWith('Comment'));
    if (field !== undefined && random.chance(0.5)) await this.clickAt(field);
    const readCommentState = () =>
      page.evaluate(() => {
        const { activeElement: field } = document;
        const isComment =
          field instanceof HTMLTextAreaElement && field.labels[0]?.textContent?.startsWith('Comment') === true;
        const scope = globalThis as { monkeyField?: Element; monkeyLeft?: boolean };
        const keptFocus = isComment && scope.monkeyField === field && scope.monkeyLeft === false;
        if (isComment && !keptFocus) {
          [scope.monkeyField, scope.monkeyLeft] = [field, false];
          field.addEventListener('blur', () => (scope.monkeyLeft = true), { once: true });
        }
        return {
          stayed: keptFocus,
          approvalId: document.querySelector('article[data-approval]')?.getAttribute('data-approval'),
          value: isComment ? field.value : undefined,
        };
      });
    const stateBefore = await readCommentState();
    if (stateBefore.value === undefined || stateBefore.value.length > 300) return;
    const typedText = `${[random.pick(WORDS), random.pick(WORDS), random.pick(WORDS)].join(' ')}. `;
    this.logAction(`“${typedText}”`);
    this.actions += typedText.length - 1;
    await page.keyboard.type(typedText);
    const stateAfter = await readCommentState();
    if (
      stateAfter.stayed &&
      stateAfter.approvalId === stateBefore.approvalId &&
      stateAfter.value?.includes(typedText) !== true
    )
      this.fail([`“${typedText}” was typed into the comment, which is “${stateAfter.value}”.`]);
  }

  private async waitMs(ms: number): Promise<void> {
    this.logAction(`${ms} ms`);
    this.actions -= 1;
    await this.waitUntilSettled();
    await this.options.page.clock.fastForward(ms);
  }

  private async clickAt({ x, y, name }: Clickable): Promise<void> {
    this.logAction(`click on “${name}”`);
    await this.options.page.mouse.click(x, y);
  }

  private async pickClickable(): Promise<Clickable | undefined> {
    const found = await this.findClickables(
      'button, a[href], [role="row"], [role="menuitem"], [role="option"], input, textarea, summary, select',
    );
    return found.length === 0 ? undefined : this.random.pick(found);
  }

  /** Returns the visible controls that no other element covers. */
  private async findClickables(selector: string): Promise<Clickable[]> {
    const found = await this.options.page.evaluate(
      (cssSelector) =>
        [...document.querySelectorAll<HTMLElement>(cssSelector)].flatMap((element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          const [x, y] = [left + Math.min(width, 200) / 2, top + height / 2];
          const elementAtPoint =
            width === 0 || height === 0 || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight
              ? null
              : document.elementFromPoint(x, y);
          if (
            elementAtPoint === null ||
            (element !== elementAtPoint && !element.contains(elementAtPoint) && !elementAtPoint.contains(element))
          )
            return [];
          if (element.matches('a[target="_blank"], a[href^="http"]:not([href^="' + location.origin + '"])')) return [];
          const label =
            element instanceof HTMLTextAreaElement ? element.labels[0]?.innerText : element.getAttribute('aria-label');
          return [{ x, y, name: (label ?? element.innerText ?? '').trim().slice(0, 60) }];
        }),
      selector,
    );
    return found.filter(({ name }) => !FORBIDDEN_CONTROLS.test(name));
  }

  private logAction(action: string): void {
    this.actions += 1;
    this.actionLog.push(action);
  }
}

function eventTitles(seen: ScreenEvent): readonly string[] {
  if (seen.kind === 'confirmed') return seen.titles;
  if (seen.kind === 'told') return [seen.title];
  return seen.kind === 'together' ? seen.counted : [];
}
