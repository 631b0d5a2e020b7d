import type { Client } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { agentModel, ScriptedAgents, type ScriptedCall } from '../http/scripted-agents.spec.support.js';
import { askQuestion } from './questions.spec.support.js';
import {
  expectAccessible,
  expectCount,
  hasBrowser,
  launchBrowser,
  openWindow,
  type Window,
} from './web.spec.support.js';

const HOSTILE = '<img src=x onerror=alert(1)> Which one?';

(hasBrowser() ? describe : describe.skip)('web: questions of agents', () => {
  const questionScript = (question: ScriptedCall['question'] & object) => (turn: number) =>
    turn === 1 ? { calls: [{ tool: 'human.ask', question }] } : { output: {} };
  const agents = new ScriptedAgents({
    asker: questionScript({ text: 'What is the budget?' }),
    chooser: questionScript({ text: HOSTILE, options: ['left', 'right'] }),
    deceiver: questionScript({ text: 'Pay \u202e001?', options: ['yes\u200b', 'no'] }),
    former: questionScript({
      text: 'Which team?',
      answerSchema: { type: 'object', required: ['team'], properties: { team: { enum: ['a', 'b'] } } },
    }),
  });
  let countersign: TestHost;
  let browser: Browser;
  let vera: Client;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ plugins: [agents.plugin()] }), launchBrowser()]);
    vera = await countersign.client('viewer', 'vera');
    for (const name of ['asker', 'chooser', 'deceiver', 'former']) await countersign.deploy(agentModel(name, name));
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  async function open(
    path: string,
    role: 'viewer' | 'operator' = 'operator',
    colorScheme: 'light' | 'dark' = 'light',
  ): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token(role, { subject: 'otto' }),
      colorScheme,
    });
    await window.page.goto(`${countersign.url}${path}`);
    return window;
  }

  it('should appear live, and be answered by keyboard', async () => {
    // given
    const window = await open('/questions');
    const { page } = window;
    await page.getByText('No open questions').waitFor();
    await page.locator('[data-live="live"]').waitFor();
    const { questionId } = await askQuestion(vera, 'asker');

    // when
    const row = page.getByRole('row', { name: /What is the budget/ });
    await row.waitFor();
    await row.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Answer' }).focus();
    await page.keyboard.type('A thousand.');
    await page.keyboard.press('Control+Enter');

    // then
    await page.getByText('Answered by otto').waitFor();
    await page.getByText('A thousand.').waitFor();
    expect(await vera.getQuestion({ questionId })).to.include({
      status: 'answered',
      answer: 'A thousand.',
      answeredBy: 'otto',
    });
    expect(page.url()).to.contain(questionId);
    await window.close();
  });

  it('should show invisible characters escaped in the question, its options and the answer', async () => {
    const { questionId, runId } = await askQuestion(vera, 'deceiver');
    const window = await open(`/runs/${runId}?tab=conversation`);
    const { page } = window;
    await page.getByRole('radio', { name: 'yes⟦U+200B⟧' }).waitFor();
    await page.goto(`${countersign.url}/questions?question=${questionId}`);
    const question = page.getByRole('article');
    await question.getByText('Pay ⟦U+202E⟧001?').waitFor();
    await question.getByRole('radio', { name: 'yes⟦U+200B⟧' }).check();
    await page.getByRole('button', { name: 'Send answer' }).click();
    await question.getByText('Answered by otto').waitFor();
    await question.getByText('yes⟦U+200B⟧').waitFor();
    expect(await question.textContent()).not.to.match(/[\u202e\u200b]/);
    expect((await vera.getQuestion({ questionId })).answer).to.equal('yes\u200b');
    await window.close();
  });

  it('should be answered with one of the options, and not execute hostile text of an agent', async () => {
    const { questionId } = await askQuestion(vera, 'chooser');
    const window = await open(`/questions?question=${questionId}`);
    const { page } = window;
    await page.getByText(HOSTILE).last().waitFor();
    const text = page.locator('.cs-question-text');
    expect(await text.evaluate((element) => getComputedStyle(element).whiteSpace)).to.equal('pre-wrap');
    await page.getByRole('radio', { name: 'right' }).check();
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.getByText('Answered by otto').waitFor();
    expect((await vera.getQuestion({ questionId })).answer).to.equal('right');
    await window.close();
  });

  it('should be answered only with a value that fits the schema', async () => {
    const { questionId } = await askQuestion(vera, 'former');
    const window = await open(`/questions?question=${questionId}`);
    const { page } = window;
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.getByRole('alert').waitFor();
    expect((await vera.getQuestion({ questionId })).status).to.equal('pending');
    await page.getByRole('combobox', { name: 'team' }).press('ArrowDown');
    await page.getByRole('option', { name: 'b' }).click();
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.getByText('Answered by otto').waitFor();
    await window.close();
  });

  it('should keep a text or incomplete JSON draft while the user views another question', async () => {
    // given
    const { questionId } = await askQuestion(vera, 'asker');
    await askQuestion(vera, 'former');
    const window = await open(`/questions?question=${questionId}`);
    const { page } = window;
    const json = page.getByRole('textbox', { name: 'Your answer' });
    await page.getByRole('textbox', { name: 'Your answer' }).fill('About a thou');

    // when
    await page.getByRole('row', { name: /Which team/ }).click();
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    await json.fill('{"team": "b');
    await page
      .getByRole('row', { name: /What is the budget/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Question from asker' }).waitFor();
    expect(await json.inputValue()).to.equal('About a thou');
    await page.getByRole('row', { name: /Which team/ }).click();

    // then
    await page.getByRole('heading', { name: 'Question from former' }).waitFor();
    expect(await json.inputValue()).to.equal('{"team": "b');
    await json.fill('{"team": "b"}');
    await page.getByRole('button', { name: 'Edit as a form' }).click();
    await page.getByRole('combobox', { name: 'team' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'team' }).inputValue()).to.equal('b');
    await window.close();
  });

  it('should retry an unconfirmed answer under the same idempotency key, also on the run page', async () => {
    // given
    const { questionId, runId } = await askQuestion(vera, 'asker');
    const window = await open(`/questions?question=${questionId}`);
    const { page } = window;
    const keys: (string | undefined)[] = [];
    page.on(
      'request',
      (request) => request.url().endsWith('/answer') && keys.push(request.headers()['idempotency-key']),
    );
    await page.route('**/answer', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad gateway' }),
    );
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Ten.');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.getByRole('alert').getByText('No response from the server.').waitFor();

    const attemptsBefore = keys.length;

    // when
    await page.unroute('**/answer');
    await page.getByRole('link', { name: 'Open run' }).click();
    await page.getByRole('tab', { name: 'Conversation' }).click();
    await page.getByRole('alert').getByText('No response from the server.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Your answer' }).inputValue()).to.equal('Ten.');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();

    // then
    await page.getByRole('listitem').filter({ hasText: 'otto' }).getByText('Ten.').waitFor();
    expect(keys.length).to.be.greaterThan(attemptsBefore);
    expect([...new Set(keys)])
      .to.have.length(1)
      .and.match(/^[0-9a-f]{32}$/);
    expect(await vera.getQuestion({ questionId })).to.include({ runId, answer: 'Ten.' });
    await window.close();
  });

  it('should show who answered first, and no longer offer to answer', async () => {
    const question = await askQuestion(vera, 'asker');
    const window = await open(`/questions?question=${question.questionId}`);
    const { page } = window;
    await page.getByRole('textbox', { name: 'Answer' }).fill('Two');
    await page.locator('[data-live="live"]').waitFor();
    const olga = await countersign.client('operator', 'olga');
    await olga.answerQuestion({ runId: question.runId, questionId: question.questionId, body: { answer: 'One.' } });
    await page.getByText('Answered by olga').waitFor();
    await expectCount(page.getByRole('button', { name: 'Send answer' }), 0);
    await page.getByRole('link', { name: 'Open run' }).click();
    await page.waitForURL(`**/runs/${question.runId}`);
    await window.close();
  });

  it('should be shown to viewers without offering or accepting an answer', async () => {
    const { questionId, runId } = await askQuestion(vera, 'asker');
    const window = await open(`/questions?question=${questionId}`, 'viewer');
    const { page } = window;
    await page.getByText('Only operators can answer questions.').waitFor();
    await expectCount(page.getByRole('button', { name: 'Send answer' }), 0);
    const response = await fetch(`${countersign.url}/api/runs/${runId}/conversation/${questionId}/answer`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${await countersign.token('viewer')}`, 'content-type': 'application/json' },
      body: '{"answer":"x"}',
    });
    expect(response.status).to.equal(403);
    await window.close();
  });

  it('should be accessible in light and dark mode', async () => {
    const { questionId } = await askQuestion(vera, 'chooser');
    for (const colorScheme of ['light', 'dark'] as const) {
      const window = await open(`/questions?question=${questionId}`, 'operator', colorScheme);
      await window.page.getByRole('radio', { name: 'left' }).waitFor();
      await expectAccessible(window.page);
      await window.close();
    }
  });
});
