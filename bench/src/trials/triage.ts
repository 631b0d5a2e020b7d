import type { Page } from 'playwright-core';
import { KeyboardUser } from './keyboard-user.js';
import type { VisibleText } from './read-screen.js';
import {
  answerQuestion,
  COMMENT,
  decidePayment,
  DEPARTMENTS,
  type PaymentDecision,
  type PaymentFacts,
} from './task.js';

/** The differences between versions of the inbox that change which keys a user presses. */
export interface Inbox {
  /** Whether the next approval opens after a vote. */
  readonly opensNext: boolean;
  /** Heading of what a request does, which follows its last risk factor. */
  readonly effectHeading: string;
  /** Whether a digit chooses an option of the focused question. */
  readonly optionsHaveKeys: boolean;
  /** Where questions are listed: among the approvals, or only on a page of their own. */
  readonly questions: 'inbox' | 'page';
}

export interface TriageResult {
  readonly keys: number;
  readonly characters: number;
  /** Number of requests that were displayed, again if one was displayed again. */
  readonly opened: number;
  /** Number of requests that were scrolled, because their first screen does not show what the task needs. */
  readonly scrolled: number;
  readonly seconds: number;
}

/** Screens after which the user gives up. */
const MAX_SCREENS = 200;

const DECISION_KEYS = { approve: 'a', reject: 'r', request_changes: 'c' } as const;

/** Decides all requests of an open inbox by keyboard, from what the window displays. */
export async function triage(
  page: Page,
  inbox: Inbox,
  requestCount: number,
  questionCount: number,
): Promise<TriageResult> {
  const triageRun = new Triage(page, inbox);
  const startedAt = performance.now();
  await triageRun.decideListed(inbox.questions === 'inbox' ? requestCount : requestCount - questionCount);
  if (inbox.questions === 'page') await triageRun.answerOnPage(questionCount);
  return triageRun.report((performance.now() - startedAt) / 1000);
}

class Triage {
  private readonly user: KeyboardUser;
  private readonly done = new Set<string>();
  private opened = 0;
  private scrolled = 0;
  private moveKey: 'j' | 'k' = 'j';

  constructor(
    page: Page,
    private readonly inbox: Inbox,
  ) {
    this.user = new KeyboardUser(page);
  }

  async decideListed(count: number): Promise<void> {
    let screen = await this.move(undefined);
    for (;;) {
      const item = screen.item ?? '';
      const isNextOpen = !this.done.has(item) && (await this.handle(screen));
      this.done.add(item);
      if (this.done.size === count) return;
      screen = (isNextOpen ? await this.readNext(item) : undefined) ?? (await this.move(item));
    }
  }

  /**
   * Decides or answers the displayed item.
   *
   * @returns whether the inbox then opens the next one
   */
  private async handle(screen: VisibleText): Promise<boolean> {
    const answer = answerQuestion(screen.item ?? '');
    if (answer !== undefined) {
      await this.user.press('Enter');
      await this.user.waitForFocus('.cs-question h2');
      await this.answer(answer);
      return this.inbox.opensNext;
    }
    const decision = decidePayment(await this.readFacts(screen));
    if (decision === 'leave') return false;
    await this.vote(decision);
    return this.inbox.opensNext;
  }

  /** Answers the questions on their page. */
  async answerOnPage(count: number): Promise<void> {
    const { user } = this;
    await user.press('g');
    await user.press('q');
    const row = user.page.locator('[role="grid"] [role="row"][tabindex]');
    await user.waitFor(row);
    for (let answered = 0; answered < count; answered += 1) {
      await user.tabTo('[role="grid"] [role="row"]');
      await user.press('Enter');
      const { item = '' } = (await this.readNext([...this.done].at(-1))) ?? {};
      const answer = answerQuestion(item);
      if (answer === undefined) throw new Error(`The question has no answer: ${item}`);
      await this.answer(answer);
      await user.waitFor(user.page.locator('.cs-question [role="status"]'));
      this.done.add(item);
    }
  }

  private async answer(department: (typeof DEPARTMENTS)[number]): Promise<void> {
    const { user } = this;
    if (this.inbox.optionsHaveKeys) await user.press(String(DEPARTMENTS.indexOf(department) + 1));
    else {
      await user.tabTo('.cs-question input[type="radio"]');
      await user.press('Space');
      for (let position = 0; position < DEPARTMENTS.indexOf(department); position += 1) await user.press('ArrowDown');
    }
    await user.press('Control+Enter');
  }

  private async vote(decision: Exclude<PaymentDecision, 'leave'>): Promise<void> {
    const { user } = this;
    await user.press(DECISION_KEYS[decision]);
    await user.waitForFocus('.cs-decision-foot textarea');
    if (decision === 'request_changes') await user.type(COMMENT);
    await user.press('Control+Enter');
    await user.page.locator('.cs-decision-foot form').waitFor({ state: 'detached' });
  }

  /** Reads what the task needs, and scrolls as far as necessary. */
  private async readFacts(first: VisibleText): Promise<PaymentFacts> {
    const { user } = this;
    let screen = first;
    const { effectHeading } = this.inbox;
    let facts = findFacts(screen, effectHeading);
    if (isComplete(facts)) return facts;
    this.scrolled += 1;
    await user.press('Enter');
    await user.waitForFocus('.cs-decision h2');
    let key: 'PageDown' | 'PageUp' = 'PageDown';
    for (let presses = 0; presses < MAX_SCREENS; presses += 1) {
      // What moved past the user while the page was still loading is above.
      if (screen.isAtEnd) key = 'PageUp';
      screen = await user.scroll(key);
      facts = { ...findFacts(screen, effectHeading), ...facts };
      if (isComplete(facts)) return facts;
    }
    throw new Error(`The approval does not show everything: ${JSON.stringify(facts)}`);
  }

  /** Moves to another item: down to the end of the list, then up to items that were skipped. */
  private async move(current: string | undefined): Promise<VisibleText> {
    await this.user.press(this.moveKey);
    const screen = await this.readNext(current);
    if (screen !== undefined) return screen;
    if (this.moveKey === 'k') throw new Error('The list does not contain all requests.');
    this.moveKey = 'k';
    return this.move(current);
  }

  /** Reads the next item as soon as it is displayed; `undefined` if none is. */
  private async readNext(current: string | undefined): Promise<VisibleText | undefined> {
    const screen = await this.user.waitForOtherItem(current);
    if (screen !== undefined) this.opened += 1;
    return screen;
  }

  report(seconds: number): TriageResult {
    const { user, opened, scrolled } = this;
    return { keys: user.keyCount, characters: user.typedCount, opened, scrolled, seconds };
  }
}

function isComplete(facts: Partial<PaymentFacts>): facts is PaymentFacts {
  return ['supplier', 'amount', 'currency', 'hasNewBankAccount', 'hasWrongTotal'].every((name) => name in facts);
}

/** Finds the facts in the title, in the fields, and in the risk factors. */
function findFacts({ lines, fields }: VisibleText, effectHeading: string): Partial<PaymentFacts> {
  const title = lines.map((line) => /^Pay ([A-Z]{3}) ([\d,.]+) to (.+)$/.exec(line)).find((match) => match !== null);
  const [, currency = fields['currency'], amount = fields['amount'], supplier = fields['supplier']] = title ?? [];
  const hasFactor = (text: string): boolean => lines.some((line) => line.startsWith(text));
  const areFactorsVisible = lines.includes('The policy lists no risk factors.') || lines.includes(effectHeading);
  return {
    ...(supplier === undefined ? {} : { supplier }),
    ...(amount === undefined ? {} : { amount: Number(amount.replaceAll(',', '')) }),
    ...(currency === undefined ? {} : { currency }),
    ...(areFactorsVisible
      ? {
          hasNewBankAccount: hasFactor('The supplier was last paid to another bank account.'),
          hasWrongTotal: hasFactor('The items add up to'),
        }
      : {}),
  };
}
