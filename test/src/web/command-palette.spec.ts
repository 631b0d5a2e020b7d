import type { Client, Question } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { agentModel, ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { Keyboard } from './keyboard.spec.support.js';
import { askQuestion } from './questions.spec.support.js';
import { expectCount, hasBrowser, launchBrowser, openWindow, waitUntilLive, type Window } from './web.spec.support.js';

/** The palette loads one page of the waiting questions, and finds the others on the server. */
const MAX_LISTED_QUESTIONS = 100;

(hasBrowser() ? describe : describe.skip)('web: questions in the command palette', () => {
  const ask = (text: string) => (turn: number) =>
    turn === 1 ? { calls: [{ tool: 'human.ask', question: { text } }] } : { output: {} };
  const agents = new ScriptedAgents({
    harbour: ask('Which harbour has the cheapest berths?'),
    bridge: ask('Shall the budget for bridges grow?'),
    lengthy: ask(`${'The ferry is late. '.repeat(20)}Who pays for the lighthouse?`),
    other: ask('Left or right?'),
  });
  let countersign: TestHost;
  let browser: Browser;
  let vera: Client;
  let harbour: Question;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ plugins: [agents.plugin()] }), launchBrowser()]);
    vera = await countersign.client('viewer', 'vera');
    for (const name of ['harbour', 'bridge', 'lengthy', 'other']) await countersign.deploy(agentModel(name, name));
    harbour = await askQuestion(vera, 'harbour');
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  async function open(role: 'approver' | 'viewer' = 'approver'): Promise<Window> {
    const window = await openWindow(browser, { url: countersign.url, token: await countersign.token(role) });
    await window.page.goto(`${countersign.url}/runs`);
    await waitUntilLive(window.page);
    return window;
  }

  async function search(page: Page, query: string): Promise<Keyboard> {
    const keys = new Keyboard(page);
    await keys.press('Control+k');
    await keys.expectFocus(page.getByRole('combobox', { name: 'Find a command' }));
    await keys.type(query);
    return keys;
  }

  const option = (page: Page, name: RegExp) => page.getByRole('option', { name });
  const showsQuestion = async (page: Page, { questionId, agentName, text }: Question): Promise<void> => {
    await page.waitForURL(`${countersign.url}/approvals/questions/${questionId}`);
    await page
      .getByRole('article', { name: `Question from ${agentName}` })
      .getByText(text)
      .waitFor();
  };

  it('should be found by words of their text, in any order, and opened', async () => {
    // given
    const window = await open();
    const { page } = window;

    // when
    const keys = await search(page, 'berths HARBOUR');

    // then
    await option(page, /^Which harbour has the cheapest berths\? ?Question · harbour$/).waitFor();
    await expectCount(page.getByRole('option'), 1);

    // when
    await keys.press('Enter');

    // then
    await showsQuestion(page, harbour);
    await window.close();
  });

  it('should also be found by words far below in their text', async () => {
    const question = await askQuestion(vera, 'lengthy');
    const window = await open();
    const keys = await search(window.page, 'Lighthouse');
    await option(window.page, /^The ferry is late\..*…/).waitFor();
    await keys.press('Enter');
    await showsQuestion(window.page, question);
    await window.close();
  });

  it('should not be loaded for a user who cannot answer them', async () => {
    // given
    const window = await open('viewer');
    const { page } = window;
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));

    // when
    await search(page, 'cheapest berths');

    // then
    await page.getByText('Nothing found').waitFor();
    expect(requests.filter((url) => /\/api\/(questions|inbox)\?/.test(url))).to.deep.equal([]);
    await window.close();
  });

  it('should also be found if many newer questions wait', async () => {
    // given
    const { questionId } = await askQuestion(vera, 'bridge');
    for (let asked = 0; asked < MAX_LISTED_QUESTIONS; asked += 10)
      await Promise.all(Array.from({ length: 10 }, () => askQuestion(vera, 'other')));
    const bridge = await vera.getQuestion({ questionId });
    const newest = await vera.listQuestions({ status: 'pending', limit: MAX_LISTED_QUESTIONS });
    expect(newest.items.map((question) => question.questionId)).not.to.include(questionId);
    const window = await open();
    const { page } = window;

    // when
    const keys = await search(page, 'Budget for bridges');
    await option(page, /Shall the budget for bridges grow\?/).waitFor();
    await keys.press('Enter');

    // then
    await showsQuestion(page, bridge);
    await window.close();
  });
});
