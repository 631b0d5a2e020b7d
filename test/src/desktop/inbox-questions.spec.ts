import type { Approval, Client } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { agentModel, ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { askQuestion } from '../web/questions.spec.support.js';
import { expectAccessible, expectCount } from '../web/web.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: questions in the inbox', () => {
  const agents = new ScriptedAgents({
    asker: (turn) =>
      turn === 1 ? { calls: [{ tool: 'human.ask', question: { text: 'What is the budget?' } }] } : { output: {} },
  });
  let countersign: TestHost;
  let maker: ApprovalMaker;
  let vera: Client;
  let screen: Screen;
  let desktop: Desktop;
  let approval: Approval;

  before(async () => {
    [countersign, screen] = await Promise.all([
      createTestHost({ jobTypes: APPROVAL_JOBS, plugins: [agents.plugin()] }),
      Screen.start(),
    ]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple');
    ({ vera } = maker);
    await countersign.deploy(agentModel('asker', 'asker'));
    approval = await maker.createApproval('simple');
  });

  beforeEach(async () => {
    desktop = await startDesktop({ screen, afterVote: 'next' });
    await signIn(desktop, countersign, 'approver', 'ada');
    await desktop.page.locator('[data-live="live"]').waitFor();
  });

  afterEach(async () => {
    await desktop.close();
    deleteUserData(desktop.userData);
  });

  after(async () => {
    await screen?.stop();
    await countersign?.close();
  });

  const questionRow = (page: Page) => page.getByRole('row', { name: /What is the budget\?.*Question/ });
  const showsQuestion = (page: Page) => page.getByRole('article', { name: 'Question from asker' }).waitFor();
  const showsApproval = (page: Page) => page.locator(`article[data-approval="${approval.approvalId}"]`).waitFor();

  it('should be answered by keyboard among the approvals, and never pass on their keys', async () => {
    // given
    const { page } = desktop;
    await page.getByRole('row', { name: /Approve the release.*Approval/ }).waitFor();
    const question = await askQuestion(vera, 'asker');
    await questionRow(page).waitFor();
    await page.getByRole('link', { name: 'Inbox 2 waiting' }).waitFor();
    await page.keyboard.press('j');
    await showsQuestion(page);
    await page.keyboard.press('j');
    await showsApproval(page);

    // when
    await page.keyboard.press('k');
    await page.keyboard.press('a');

    // then
    await page.getByText('Key press ignored: not possible for a question.').waitFor();
    await showsQuestion(page);
    await expectCount(page.getByRole('form', { name: 'Approve' }), 0);
    await expectAccessible(page);

    // when
    await page.keyboard.press('Enter');
    await page.locator('.cs-question h2:focus').waitFor();
    await page.getByRole('textbox', { name: 'Your answer' }).focus();
    await page.keyboard.type('A thousand.');
    await page.keyboard.press('Control+Enter');

    // then
    await showsApproval(page);
    await questionRow(page).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Inbox 1 waiting' }).waitFor();
    await expectCount(page.getByRole('form', { name: 'Approve' }), 0);
    expect(await vera.getQuestion(question)).to.include({
      status: 'answered',
      answer: 'A thousand.',
      answeredBy: 'ada',
    });
    expect((await vera.getApproval(approval)).votes).to.deep.equal([]);
  });

  it('should be found by the search, and leave the list when another person answers', async () => {
    // given
    const { page } = desktop;
    const question = await askQuestion(vera, 'asker');
    await page.getByRole('searchbox').fill('budget');
    await page.getByRole('row', { name: /Approve the release/ }).waitFor({ state: 'detached' });
    await questionRow(page).click();
    await showsQuestion(page);

    // when
    const olga = await countersign.client('operator', 'olga');
    await olga.answerQuestion({ ...question, body: { answer: 'Ten.' } });

    // then
    await page.getByText('Answered by olga').waitFor();
    await questionRow(page).waitFor({ state: 'detached' });
    await page.getByText('Nothing matches.').first().waitFor();
  });
});
