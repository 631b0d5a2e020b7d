import type { Client } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { agentModel, ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { askQuestion } from '../web/questions.spec.support.js';
import { expectAccessible } from '../web/web.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: questions of agents', () => {
  const agents = new ScriptedAgents({
    asker: (turn) =>
      turn === 1 ? { calls: [{ tool: 'human.ask', question: { text: 'What is the budget?' } }] } : { output: {} },
  });
  let countersign: TestHost;
  let maker: ApprovalMaker;
  let vera: Client;
  let screen: Screen;
  let desktop: Desktop;

  before(async () => {
    [countersign, screen] = await Promise.all([
      createTestHost({ jobTypes: APPROVAL_JOBS, plugins: [agents.plugin()] }),
      Screen.start(),
    ]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple');
    ({ vera } = maker);
    await countersign.deploy(agentModel('asker', 'asker'));
  });

  beforeEach(async () => {
    desktop = await startDesktop({ screen });
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

  it('should be counted beside the approvals when they arrive, and be answered', async () => {
    // given
    const { page } = desktop;
    await page.getByRole('link', { name: 'Questions', exact: true }).waitFor();
    await maker.createApproval('simple');
    const question = await askQuestion(vera, 'asker');
    // when
    await page.getByRole('link', { name: 'Inbox 2 waiting' }).waitFor();
    await page.getByRole('link', { name: 'Questions 1 waiting' }).click();
    await page.getByRole('row', { name: /What is the budget/ }).click();
    await page.getByRole('textbox', { name: 'Answer' }).fill('A thousand.');
    await expectAccessible(page);
    await page.keyboard.press('Control+Enter');
    // then
    await page.getByText('Answered by ada').waitFor();
    await page.getByRole('link', { name: 'Questions', exact: true }).waitFor();
    expect(await vera.getQuestion({ questionId: question.questionId })).to.include({
      status: 'answered',
      answer: 'A thousand.',
      answeredBy: 'ada',
    });
    await page.getByRole('link', { name: 'Inbox 1 waiting' }).click();
    await page.getByRole('row', { name: /Approve the release/ }).waitFor();
  });

  it('should keep an unfinished answer while the person views the approvals', async () => {
    await askQuestion(vera, 'asker');
    const { page } = desktop;
    await page.getByRole('link', { name: /^Questions/ }).click();
    await page
      .getByRole('row', { name: /What is the budget/ })
      .first()
      .click();
    await page.getByRole('textbox', { name: 'Answer' }).fill('About a thou');
    await page.getByRole('link', { name: /^Inbox/ }).click();
    await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
    await page.getByRole('link', { name: /^Questions/ }).click();
    await page
      .getByRole('row', { name: /What is the budget/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Question from asker' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Answer' }).inputValue()).to.equal('About a thou');
  });
});
