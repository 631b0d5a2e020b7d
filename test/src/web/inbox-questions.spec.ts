import type { Approval, Client, Question } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page, Route } from 'playwright-core';
import { agentModel, ScriptedAgents, type ScriptedCall } from '../http/scripted-agents.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import { askQuestion } from './questions.spec.support.js';
import { extendUndoWindow } from './undo-window.spec.support.js';
import {
  expectAccessible,
  expectCount,
  hasBrowser,
  launchBrowser,
  openWindow,
  waitUntilLive,
  type Window,
  type WindowOptions,
} from './web.spec.support.js';

const REFUSAL = Object.freeze({
  type: 'about:blank',
  title: 'Refused',
  detail: 'Too long today.',
  status: 422,
  code: 'validation_failed',
  retryable: false,
  traceId: '0',
  errors: [],
});

(hasBrowser() ? describe : describe.skip)('web: questions in the inbox', () => {
  const ask = (question: ScriptedCall['question'] & object) => (turn: number) =>
    turn === 1 ? { calls: [{ tool: 'human.ask', question }] } : { output: {} };
  const agents = new ScriptedAgents({
    asker: ask({ text: 'What is the budget?' }),
    chooser: ask({ text: 'Left or right?', options: ['left', 'right'] }),
  });
  let countersign: TestHost;
  let browser: Browser;
  let vera: Client;
  let maker: ApprovalMaker;

  before(async () => {
    browser = await launchBrowser();
  });

  beforeEach(async () => {
    countersign = await createTestHost({ jobTypes: APPROVAL_JOBS, plugins: [agents.plugin()] });
    maker = await ApprovalMaker.deployTo(countersign, 'simple');
    ({ vera } = maker);
    for (const name of ['asker', 'chooser']) await countersign.deploy(agentModel(name, name));
  });

  afterEach(() => countersign.close());

  after(() => browser?.close());

  async function open(
    path: string,
    options: Partial<WindowOptions> = {},
    role: 'operator' | 'approver' = 'approver',
  ): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token(role, { subject: 'ada' }),
      afterVote: 'next',
      ...options,
    });
    await window.page.goto(`${countersign.url}${path}`);
    await waitUntilLive(window.page);
    return window;
  }

  /** Holds requests of a page until `release` is called. */
  async function holdRequests(
    page: Page,
    pattern: string,
    respond: (route: Route) => Promise<void> = (route) => route.continue(),
  ): Promise<{ readonly arrived: Promise<void>; release(): void }> {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let onArrival = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (onArrival = resolve));
    await page.route(pattern, async (route) => {
      onArrival();
      await released;
      await respond(route);
    });
    return { arrived, release: () => release() };
  }

  const row = (page: Page, name: RegExp) => page.getByRole('row', { name });
  const questionPath = ({ questionId }: Question): string => `/approvals/questions/${questionId}`;
  const showsQuestion = (page: Page, agent: string) =>
    page.getByRole('article', { name: `Question from ${agent}` }).waitFor();
  const showsApproval = (page: Page, { approvalId }: Approval) =>
    page.locator(`article[data-approval="${approvalId}"]`).waitFor();
  const getFocusedRow = (page: Page) => page.locator('.cs-inbox-item:focus');

  it('should be listed among the approvals in one order, distinguished by a word, and reached by keyboard', async () => {
    // given
    const approval = await maker.createApproval('simple');
    const question = await askQuestion(vera, 'asker');
    const window = await open('/approvals');
    const { page } = window;
    await row(page, /What is the budget\?.*Question asker.*asker.*Run/).waitFor();
    await row(page, /Approve the release.*Approval.*Low risk/).waitFor();
    expect(await page.locator('.cs-inbox-item').first().textContent()).to.contain('What is the budget?');
    expect(await page.title()).to.match(/^\(2\) /);
    await page.getByRole('button', { name: 'My turn 2' }).waitFor();

    // when
    await page.keyboard.press('j');

    // then
    await showsQuestion(page, 'asker');
    expect(new URL(page.url()).pathname).to.equal(questionPath(question));
    expect(await getFocusedRow(page).getAttribute('aria-current')).to.equal('true');

    // when
    await page.keyboard.press('ArrowDown');
    await showsApproval(page, approval);
    await page.keyboard.press('k');

    // then
    await showsQuestion(page, 'asker');
    await window.close();
  });

  it('should never pass on the keys of an approval to the approval that was displayed before', async () => {
    // given
    const approval = await maker.createApproval('simple');
    await askQuestion(vera, 'asker');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await showsApproval(page, approval);
    await row(page, /What is the budget/).waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();

    for (const key of ['a', 'r', 'c', 'e', 'x']) {
      // when: the key is pressed before and after the question is displayed
      await page.keyboard.press('k');
      await page.keyboard.press(key);

      // then
      await page.getByText('Key press ignored: not possible for a question.').waitFor();
      await showsQuestion(page, 'asker');
      await page.keyboard.press(key);
      await page.keyboard.press('j');
      await showsApproval(page, approval);
      await expectCount(page.getByRole('form', { name: /^(Approve|Reject|Request changes)$/ }), 0);
      await expectCount(page.getByRole('button', { name: 'Clear selection' }), 0);
      await page.locator('.mantine-Notification-closeButton').click();
    }
    expect((await vera.getApproval(approval)).votes).to.deep.equal([]);
    await window.close();
  });

  it('should be answered by keyboard, and open the next approval, whose vote opens the next question', async () => {
    // given
    const question = await askQuestion(vera, 'asker');
    const approval = await maker.createApproval('simple');
    const window = await open('/approvals');
    const { page } = window;
    await row(page, /Approve the release/).waitFor();
    await page.keyboard.press('j');

    // when
    await page.keyboard.press('Enter');
    await page.locator('.cs-question h2:focus').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('A thousand.');
    await page.keyboard.press('Control+Enter');

    // then
    await showsApproval(page, approval);
    await row(page, /What is the budget/).waitFor({ state: 'detached' });
    expect(await getFocusedRow(page).textContent()).to.contain('Approve the release');
    expect(await vera.getQuestion(question)).to.include({ answer: 'A thousand.', answeredBy: 'ada' });

    // when
    await askQuestion(vera, 'chooser');
    await row(page, /Left or right/).waitFor();
    await extendUndoWindow(page);
    await page.keyboard.press('a');
    await page.getByRole('form', { name: 'Approve' }).waitFor();
    await page.keyboard.press('Control+Enter');

    // then: a further key press sends no answer
    await showsQuestion(page, 'chooser');
    await page.keyboard.press('Control+Enter');
    expect(await getFocusedRow(page).textContent()).to.contain('Left or right?');
    await page.getByRole('button', { name: 'Send answer' }).waitFor();
    await window.close();
  });

  it('should leave the list once answered, but stay displayed with the answer if the user has chosen to stay', async () => {
    await askQuestion(vera, 'chooser');
    await maker.createApproval('simple');
    const window = await open('/approvals', { afterVote: 'stay' });
    const { page } = window;
    await row(page, /Left or right/).click();
    await page.getByRole('radio', { name: 'right' }).check();
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.getByText('Answered by ada').waitFor();
    await row(page, /Left or right/).waitFor({ state: 'detached' });
    await page.locator('.cs-question h2:focus').waitFor();
    await page.getByRole('button', { name: 'My turn 1' }).waitFor();
    await window.close();
  });

  it('should appear, and leave when another person answers or the run ends, while the page is open', async () => {
    // given
    const window = await open('/approvals');
    const { page } = window;
    await page.getByText('Nothing is waiting for you.').waitFor();

    // when
    const [first, second] = [await askQuestion(vera, 'asker'), await askQuestion(vera, 'chooser')];

    // then
    await row(page, /What is the budget/).click();
    await row(page, /Left or right/).waitFor();

    // when
    const olga = await countersign.client('operator', 'olga');
    await olga.answerQuestion({ ...first, body: { answer: 'Ten.' } });
    await olga.cancelRun({ runId: second.runId, body: { reason: 'Not needed.' } });

    // then
    await page.getByText('Answered by olga').waitFor();
    await page.getByText('Nothing is waiting for you.').waitFor();
    await window.close();
  });

  it('should keep typed letters out of the shortcuts when another person answers first', async () => {
    // given
    const approvals = [await maker.createApproval('simple'), await maker.createApproval('simple')];
    const question = await askQuestion(vera, 'asker');
    const window = await open(questionPath(question));
    const { page } = window;
    await row(page, /Approve the release/)
      .first()
      .waitFor();
    const answer = page.getByRole('textbox', { name: 'Your answer' });
    await answer.focus();
    await page.keyboard.type('o');

    // when
    const olga = await countersign.client('operator', 'olga');
    await olga.answerQuestion({ ...question, body: { answer: 'Ten.' } });
    await page.getByRole('alert').getByText('olga has already answered this question.').waitFor();
    await page.keyboard.type('kay');
    await page.keyboard.press('Control+Enter');

    // then
    await page.getByText('Answered by olga').waitFor();
    expect(await answer.inputValue()).to.equal('o');
    expect(await answer.evaluate((field) => field === document.activeElement)).to.equal(true);
    expect(new URL(page.url()).pathname).to.equal(questionPath(question));
    await expectCount(page.getByRole('form', { name: 'Approve' }), 0);
    await expectCount(page.getByRole('button', { name: 'Send answer' }), 0);
    await expectAccessible(page);

    // when
    await page.keyboard.press('Escape');

    // then
    await answer.waitFor({ state: 'detached' });
    await page.locator('.cs-question h2:focus').waitFor();
    for (const approval of approvals) expect((await vera.getApproval(approval)).votes).to.deep.equal([]);
    await window.close();
  });

  it('should keep an unsent answer to read when its run ends, until the user discards it', async () => {
    const question = await askQuestion(vera, 'asker');
    const window = await open(questionPath(question));
    const { page } = window;
    const answer = page.getByRole('textbox', { name: 'Your answer' });
    await answer.fill('A thousand.');
    // A key that is held down sends nothing.
    await answer.dispatchEvent('keydown', { key: 'Enter', ctrlKey: true, repeat: true, bubbles: true });
    await page.getByRole('heading', { level: 2 }).click();
    await (await countersign.client('operator', 'olga')).cancelRun({ ...question, body: { reason: 'Not needed.' } });
    await page.getByRole('alert').getByText('This question was withdrawn and accepts no answers.').waitFor();
    expect(await answer.inputValue()).to.equal('A thousand.');
    await page.getByRole('button', { name: 'Discard' }).click();
    await answer.waitFor({ state: 'detached' });
    await window.close();
  });

  it('should stay open if the user types on while the answer is sent', async () => {
    // given
    const question = await askQuestion(vera, 'asker');
    await maker.createApproval('simple');
    const window = await open(questionPath(question));
    const { page } = window;
    await row(page, /Approve the release/).waitFor();
    const held = await holdRequests(page, '**/answer');
    const answer = page.getByRole('textbox', { name: 'Your answer' });
    await answer.focus();
    await page.keyboard.type('A thousand.');
    await page.keyboard.press('Control+Enter');
    await held.arrived;

    // when
    await page.keyboard.type('jax');
    held.release();

    // then
    await page.getByText('Answered by ada').waitFor();
    await page.getByRole('alert').getByText('The keys that you pressed after that had no effect.').waitFor();
    await page.keyboard.type('jax');
    expect(new URL(page.url()).pathname).to.equal(questionPath(question));
    expect(await answer.inputValue()).to.equal('A thousand.');
    expect(await answer.evaluate((field) => field === document.activeElement)).to.equal(true);
    await expectCount(page.getByRole('form', { name: 'Approve' }), 0);
    await page.keyboard.press('Escape');
    await page.locator('.cs-question h2:focus').waitFor();
    expect((await vera.getQuestion(question)).answer).to.equal('A thousand.');
    await window.close();
  });

  it('should report a refused answer although the user has moved on, and not be next while it is sent', async () => {
    // given
    const question = await askQuestion(vera, 'asker');
    const approval = await maker.createApproval('simple');
    const window = await open(questionPath(question));
    const { page } = window;
    await row(page, /Approve the release/).waitFor();
    const held = await holdRequests(page, '**/answer', (route) =>
      route.fulfill({ status: 422, contentType: 'application/problem+json', body: JSON.stringify(REFUSAL) }),
    );
    const answer = page.getByRole('textbox', { name: 'Your answer' });
    await answer.fill('A thousand.');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await held.arrived;

    // when
    await row(page, /Approve the release/).click();
    await showsApproval(page, approval);
    await extendUndoWindow(page);
    await page.keyboard.press('a');
    await page.getByRole('form', { name: 'Approve' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Undo' }).waitFor();

    // then
    await showsApproval(page, approval);
    await row(page, /What is the budget/).click();
    await page.locator('.cs-question button[data-loading]').waitFor();
    expect(await answer.getAttribute('readonly')).not.to.equal(null);

    // when
    await row(page, /Approve the release/).click();
    await showsApproval(page, approval);
    held.release();

    // then
    await page.getByText('Your answer to “What is the budget?” was not recorded. Too long today.').waitFor();
    await row(page, /What is the budget/).click();
    await page.locator('.cs-question').getByRole('alert').getByText('Too long today.').waitFor();
    expect(await answer.inputValue()).to.equal('A thousand.');
    await page.getByRole('button', { name: 'Send answer' }).waitFor();
    await window.close();
  });

  it('should be listed in place once both lists have loaded, and not counted exactly before', async () => {
    // given
    await maker.createApproval('simple');
    await askQuestion(vera, 'asker');
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
    });
    const { page } = window;
    for (const path of ['questions', 'inbox']) {
      const held = await holdRequests(page, `**/api/${path}?*`);

      // when
      const responded = page.waitForResponse((response) =>
        new URL(response.url()).pathname.endsWith(path === 'inbox' ? '/questions' : '/inbox'),
      );
      await page.goto(`${countersign.url}/approvals`);
      await responded;

      // then
      if (path === 'questions') {
        await row(page, /Approve the release/).waitFor();
        await page.getByRole('button', { name: 'My turn 1+' }).waitFor();
      }
      await expectCount(row(page, /What is the budget/), 0);
      held.release();
      await row(page, /What is the budget/).waitFor();
      await page.getByRole('button', { name: /^My turn 2$/ }).waitFor();
      await page.unroute(`**/api/${path}?*`);
    }
    await window.close();
  });

  it('should be loaded without scrolling, and hide no approval, if there are more than on one page', async () => {
    // given
    await maker.createApproval('simple');
    const question = await askQuestion(vera, 'asker');
    const questions = Array.from({ length: 105 }, (_, index) => ({
      ...question,
      questionId: `01890000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    }));
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
    });
    const { page } = window;
    await page.route('**/api/questions?*sort=due*', (route) =>
      route.fulfill({ json: { items: questions.slice(0, 100), nextCursor: 'second' } }),
    );
    const nextPage = await holdRequests(page, '**/api/questions?*cursor=second*', (route) =>
      route.fulfill({ json: { items: questions.slice(100), nextCursor: null } }),
    );

    // when
    await page.goto(`${countersign.url}/approvals`);
    await nextPage.arrived;

    // then
    await page.getByRole('button', { name: 'My turn 101+' }).waitFor();
    nextPage.release();
    await page.getByRole('button', { name: /^My turn 106$/ }).waitFor();
    await window.close();
  });

  it('should not be counted exactly while the list of another filter loads, but while its due range moves on', async () => {
    // given
    await maker.createApproval('simple');
    await askQuestion(vera, 'asker');
    const window = await open('/approvals');
    const { page } = window;
    await page.getByRole('button', { name: /^My turn 2$/ }).waitFor();
    const search = await holdRequests(page, '**/api/inbox?*q=*');

    // when
    await page.getByRole('searchbox').fill('budget');
    await search.arrived;

    // then
    await page.getByRole('button', { name: 'My turn 2+' }).waitFor();
    search.release();
    await page.getByRole('button', { name: /^My turn 1$/ }).waitFor();

    // when
    await page.clock.install();
    await page.goto(`${countersign.url}/approvals?due=week`);
    await page.getByRole('button', { name: /^My turn 0$/ }).waitFor();
    const due = await holdRequests(page, '**/api/inbox?*dueBefore=*');
    await page.clock.fastForward('01:30');
    await due.arrived;

    // then
    await page.getByRole('button', { name: /^My turn 0$/ }).waitFor();
    await expectCount(page.getByRole('button', { name: 'My turn 0+' }), 0);
    due.release();
    await window.close();
  });

  it('should choose an option with its digit while the question has the focus', async () => {
    // given
    const question = await askQuestion(vera, 'chooser');
    const window = await open(questionPath(question));
    const { page } = window;
    await showsQuestion(page, 'chooser');
    await row(page, /Left or right/).focus();

    // when
    await page.keyboard.press('2');

    // then
    await expectCount(page.getByRole('radio', { checked: true }), 0);

    // when
    await row(page, /Left or right/).focus();
    await page.keyboard.press('Enter');
    await page.locator('.cs-question h2:focus').waitFor();
    await page.keyboard.press('3');
    await page.locator('.cs-question h2').focus();
    await page.keyboard.press('2');
    await page.getByRole('radio', { name: 'right', exact: true, checked: true }).waitFor();
    await page.keyboard.press('1');
    await page.getByRole('radio', { name: 'left', exact: true, checked: true }).waitFor();
    await page.keyboard.press('2');
    await page.keyboard.press('Control+Enter');

    // then
    await page.getByText('Answer sent; the run continues.').waitFor();
    expect((await vera.getQuestion(question)).answer).to.equal('right');
    await window.close();
  });

  it('should not offer votes in the help and the command palette', async () => {
    await maker.createApproval('simple');
    const question = await askQuestion(vera, 'asker');
    const window = await open(questionPath(question));
    const { page } = window;
    await showsQuestion(page, 'asker');
    await row(page, /Approve the release/).waitFor();
    expect(await row(page, /What is the budget/).getAttribute('aria-selected')).to.equal(null);
    await page.keyboard.press('?');
    const help = page.getByRole('dialog');
    await help.getByRole('row', { name: /^Next item/ }).waitFor();
    await expectCount(help.getByRole('row', { name: /^(Approve|Reject|Request changes|Select)/ }), 0);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    await page.keyboard.press('?');
    await help.getByRole('row', { name: /^Approve/ }).waitFor();
    await window.close();
  });

  it('should be found by the search, left out by filters of approvals, and counted in the views', async () => {
    await maker.createApproval('simple');
    await askQuestion(vera, 'asker');
    await askQuestion(vera, 'chooser');
    const window = await open('/approvals');
    const { page } = window;
    await row(page, /What is the budget/).waitFor();
    await page.getByRole('searchbox', { name: 'Search approvals and questions' }).fill('BUDGET?');
    await row(page, /Approve the release/).waitFor({ state: 'detached' });
    await expectCount(row(page, /Question/), 1);
    await page.goto(`${countersign.url}/approvals?workflowId=chooser`);
    await row(page, /Left or right/).waitFor();
    await expectCount(page.locator('.cs-inbox-item'), 1);
    await page.goto(`${countersign.url}/approvals?riskLevel=low`);
    await row(page, /Approve the release/).waitFor();
    await expectCount(row(page, /Question/), 0);
    await page.getByRole('button', { name: 'Unsaved view' }).click();
    await page.getByRole('menuitem', { name: /^All\s*3$/ }).waitFor();
    await page.getByRole('menuitem', { name: /^High risk\s*0$/ }).waitFor();
    await page.getByRole('menuitem', { name: /^Overdue\s*0$/ }).waitFor();
    await page.route('**/api/questions?*limit=21*', (route) => route.fulfill({ status: 403, json: {} }));
    await page.reload();
    await page.getByRole('button', { name: 'Unsaved view' }).click();
    await page.getByRole('menuitem', { name: /^All\s*1\+$/ }).waitFor();
    await window.close();
  });

  it('should stay open when the page is reloaded, and be returned to with the Back button', async () => {
    const approval = await maker.createApproval('simple');
    const question = await askQuestion(vera, 'asker');
    const window = await open(questionPath(question), { viewport: { width: 390, height: 800 } });
    const { page } = window;
    await page.getByRole('textbox', { name: 'Your answer' }).waitFor();
    await page.reload();
    await showsQuestion(page, 'asker');
    await page.getByRole('button', { name: 'Back to list' }).click();
    await row(page, /Approve the release/).click();
    await showsApproval(page, approval);
    await page.goBack();
    await row(page, /What is the budget/).click();
    await showsQuestion(page, 'asker');
    await page.goBack();
    await row(page, /What is the budget/).waitFor();
    await page.goto(`${countersign.url}/approvals/questions/01890000-0000-7000-8000-000000000000`);
    await page.getByText('Question not found').waitFor();
    await window.close();
  });

  it('should be reported as missing if they cannot be loaded', async () => {
    // given
    await maker.createApproval('simple');
    await askQuestion(vera, 'asker');
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
    });
    const { page } = window;
    await page.context().route('**/api/questions**', (route) => route.fulfill({ status: 403, json: {} }));
    await page.goto(`${countersign.url}/approvals`);
    await row(page, /Approve the release/).waitFor();
    await page.getByRole('grid').getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'My turn 1+' }).waitFor();

    // when
    await page.context().unroute('**/api/questions**');
    await page.getByRole('grid').getByRole('button', { name: 'Try again' }).click();

    // then
    await row(page, /What is the budget/).waitFor();
    await page.getByRole('grid').getByRole('alert').waitFor({ state: 'detached' });
    await window.close();
  });

  it('should be listed by an older server, which cannot sort them', async () => {
    await askQuestion(vera, 'asker');
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
    });
    const { page } = window;
    const body = JSON.stringify({ ...REFUSAL, status: 400, code: 'invalid_parameter' });
    await page.route('**/api/questions?*sort=due*', (route) =>
      route.fulfill({ status: 400, contentType: 'application/problem+json', body }),
    );
    await page.goto(`${countersign.url}/approvals`);
    await row(page, /What is the budget/).waitFor();
    await page.getByRole('button', { name: /^My turn 1$/ }).waitFor();
    await window.close();
  });

  it('should not be listed for operators, who cannot decide approvals', async () => {
    await maker.createApproval('simple');
    await askQuestion(vera, 'asker');
    const window = await open('/approvals', {}, 'operator');
    await row(window.page, /Approve the release/).waitFor();
    await expectCount(row(window.page, /What is the budget/), 0);
    await window.close();
  });

  it('should be accessible in light and dark mode, and in a narrow window', async () => {
    await maker.createApproval('simple');
    const question = await askQuestion(vera, 'chooser');
    for (const options of [
      { colorScheme: 'light' },
      { colorScheme: 'dark' },
      { viewport: { width: 390, height: 800 } },
    ] as const) {
      const window = await open(questionPath(question), options);
      await window.page.getByRole('radio', { name: 'left' }).waitFor();
      await expectAccessible(window.page);
      await window.page.goto(`${countersign.url}/approvals`);
      await row(window.page, /Left or right/).waitFor();
      await expectAccessible(window.page);
      await window.close();
    }
  });
});
