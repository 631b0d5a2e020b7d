import type { Client } from '@countersign/contract';
import { definePlugin, SettingsTestContribution, type SettingsTestCheck } from '@countersign/core/plugin';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { eventOf, Ingress, signed } from '../event-ingress/ingress.spec.support.js';
import { agentModel, ScriptedAgents } from '../http/agents.spec.support.js';
import { untilApproval } from '../http/http.spec.support.js';
import { Keyboard } from './keyboard.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, type Window } from './web.spec.support.js';

const BY_ITSELF = '@id("notes") @acceptsTaint("true") permit (principal == Agent::"writer", action == Action::"callUnattended", resource == Tool::"note");';
const SECRET_KEY = 'Integrations:EventIngress:Sources:shop:Secret';
const NEW_SECRET = 'rotated by keys, and long enough for anybody';

class BellTest implements SettingsTestContribution {
  readonly target = 'bell';
  checks(): readonly SettingsTestCheck[] {
    return [{ name: 'rings', run: async () => 'It rang.' }];
  }
}
const bell = definePlugin({
  id: 'bell',
  register({ contribute }) {
    contribute(SettingsTestContribution, BellTest);
  },
});

(hasBrowser() ? describe : describe.skip)('web: by keyboard alone, what operators and admins do', function () {
  this.timeout(60_000);
  const agents = new ScriptedAgents({ writer: (turn) => (turn === 1 ? { taint: ['webhook'], calls: [{ tool: 'note', arguments: { text: 'Hello' } }] } : { output: {} }) });
  let ingress: Ingress;
  let browser: Browser;
  let admin: Client;
  let window: Window;
  let page: Page;
  let keys: Keyboard;

  before(async () => {
    [ingress, browser] = await Promise.all([Ingress.create([], { plugins: [bell, agents.plugin()] }), launchBrowser()]);
    admin = await ingress.server.client('admin', 'ada');
    await ingress.server.deploy(agentModel('write', 'writer'));
    await untilApproval(admin, (await admin.startRun({ body: { workflowId: 'write' } })).runId);
  });

  after(async () => {
    await browser?.close();
    await ingress?.close();
  });

  afterEach(() => window.close());

  async function open(path: string, title: string): Promise<void> {
    window = await openWindow(browser, { url: ingress.server.url, token: await ingress.server.token('admin', { subject: 'ada' }) });
    ({ page } = window);
    keys = new Keyboard(page);
    await page.goto(ingress.server.url + path);
    await heading(title);
  }

  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const main = () => page.getByRole('main');
  const dialog = (name: string) => page.getByRole('dialog', { name });

  it('should open an event that came in, and deliver it again', async () => {
    // given
    await ingress.post(signed(eventOf('by-keys')));
    await ingress.post(signed(eventOf('another')));
    await open('/inbound-events', 'Inbound events');
    await page.getByRole('row', { name: /by-keys/ }).waitFor();

    // when
    await keys.tabTo('row', /another|by-keys/);
    await keys.press('j');
    await keys.expectAt(page.getByRole('row', { name: /by-keys/ }));
    await keys.press('Enter');
    const event = dialog('Event ci.passed');
    await keys.expectWithin(event);
    await keys.activate('button', 'Deliver again', { within: event });
    const sure = dialog('Deliver this event again?');
    await keys.expectWithin(sure);
    await keys.activate('button', 'Deliver again', { within: sure });

    // then
    await page.getByText('Still nobody waits for it.').waitFor();
    await sure.waitFor({ state: 'detached' });
    await keys.expectWithin(event);
    await keys.press('Escape');
    await event.waitFor({ state: 'detached' });
    await keys.expectAt(page.getByRole('row', { name: /by-keys/ }));

    // when
    await keys.fill('textbox', 'Message', 'nothing', { back: true });
    await keys.press('Enter');
    await page.getByText('No event fits the filters').waitFor();
    await keys.activate('button', 'Clear the filters');

    // then
    await page.getByRole('row', { name: /by-keys/ }).waitFor();
    await keys.expectWithin(main());
  });

  it('should see what a draft of the policy would change', async () => {
    // given
    await open('/policies', 'Policies');
    await keys.tabTo('tab', 'Decisions');
    await keys.press('End', 'Enter');
    await page.getByRole('button', { name: 'Try it' }).waitFor();
    const editor = page.getByRole('textbox', { name: 'Draft of more.cedar' });

    // when: a file, wrong at first
    await keys.activate('button', 'Add a file');
    await keys.expectAt(page.getByRole('textbox', { name: 'Name of the new file' }));
    await keys.type('more.cedar');
    await keys.press('Enter');
    await editor.waitFor();
    await keys.expectWithin(main());
    await keys.tabTo('textbox', 'Draft of more.cedar');
    await keys.write('permit');
    await keys.activate('button', 'Try it');
    await keys.activate('button', /more\.cedar, line 1/);
    await keys.expectAt(editor);
    await keys.write(BY_ITSELF);
    await keys.activate('button', 'Try it');

    // then
    const result = page.getByRole('region', { name: 'What would change' });
    await result.getByRole('row', { name: /note Asks people.*Allowed.*Weaker/ }).waitFor();
    await keys.expectAt(page.getByRole('button', { name: 'Try it' }));
    await keys.activate('link', 'work', { within: result });
    await keys.expectAt(page.getByRole('dialog', { name: /^Step/ }));
  });

  it('should rotate a secret, after giving it up once', async () => {
    // given
    await open('/settings?section=Integrations', 'Settings');
    const rotate = page.getByRole('button', { name: `Rotate ${SECRET_KEY}` });

    // when: given up
    await keys.activate('button', `Rotate ${SECRET_KEY}`);
    const asked = page.getByRole('dialog');
    await keys.expectAt(asked.getByLabel('New secret'));
    await keys.type(NEW_SECRET);
    await keys.press('Escape');
    await asked.waitFor({ state: 'detached' });
    await keys.expectAt(rotate);

    // when: done
    await keys.press('Enter');
    await keys.expectAt(asked.getByLabel('New secret'));
    expect(await asked.getByLabel('New secret').inputValue(), 'a secret that was given up is forgotten').to.equal('');
    await keys.type(NEW_SECRET);
    await keys.press('Tab');
    await keys.expectAt(asked.getByLabel('Once more'));
    await keys.type(NEW_SECRET);
    await keys.activate('button', 'Rotate', { within: asked });

    // then
    await page.getByText(`${SECRET_KEY} is rotated.`).waitFor();
    await asked.waitFor({ state: 'detached' });
    await keys.expectAt(rotate);
    expect(await ingress.post(signed(eventOf('rotated'), { secret: NEW_SECRET }))).to.include({ status: 200 });
  });

  it('should test what can be tested', async () => {
    // given
    await open('/settings', 'Settings');

    // when
    await keys.tabTo('tab', 'Catalogue');
    await keys.press('ArrowRight');
    await page.getByRole('button', { name: 'Test bell' }).waitFor();
    await keys.activate('button', 'Test bell');

    // then
    await page.getByRole('table', { name: 'Checks of bell' }).getByText('It rang.').waitFor();
    await keys.expectAt(page.getByRole('button', { name: 'Test bell' }));
  });
});
