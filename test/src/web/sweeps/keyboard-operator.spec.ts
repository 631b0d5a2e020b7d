import { connectorNotifyPlugin } from '@countersign/connector-notify';
import type { Client } from '@countersign/contract';
import { definePlugin, type SettingsTestCheck, SettingsTestContribution } from '@countersign/core/plugin';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { processModel } from '@countersign/testing';
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import {
  connectorTask,
  startService,
  waitUntilSettled,
  type Service,
} from '../../connectors/connectors.spec.support.js';
import { buildEvent, Ingress, buildSignedRequest } from '../../event-ingress/ingress.spec.support.js';
import { agentModel, createDigest, ScriptedAgents } from '../../http/scripted-agents.spec.support.js';
import { waitForApproval } from '../../http/http.spec.support.js';
import { Keyboard } from '../keyboard.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, type Window } from '../web.spec.support.js';

const UNATTENDED_POLICY =
  '@id("notes") @acceptsTaint("true") permit (principal == Agent::"writer", action == Action::"callUnattended", resource == Tool::"note");';
const SECRET_KEY = 'Integrations:EventIngress:Sources:shop:Secret';
const NEW_SECRET = 'a new secret that is long enough for the check';

class BellTest implements SettingsTestContribution {
  readonly target = 'bell';
  checks(): readonly SettingsTestCheck[] {
    return [{ name: 'rings', run: async () => 'It rang.' }];
  }
}
const bellPlugin = definePlugin({
  id: 'bell',
  register({ contribute }) {
    contribute(SettingsTestContribution, BellTest);
  },
});

(hasBrowser() ? describe : describe.skip)('web: tasks of operators and admins by keyboard only', function () {
  this.timeout(60_000);
  const agents = new ScriptedAgents({
    writer: (turn) =>
      turn === 1 ? { taint: ['webhook'], calls: [{ tool: 'note', arguments: { text: 'Hello' } }] } : { output: {} },
  });
  let ingress: Ingress;
  let service: Service;
  let browser: Browser;
  let admin: Client;
  let window: Window;
  let page: Page;
  let keys: Keyboard;

  before(async () => {
    service = await startService();
    const configuration = {
      Connectors: {
        AllowedNetworks: ['127.0.0.1'],
        Notify: {
          Endpoints: [
            { Id: 'desk', Url: `${service.url}/hook`, Secret: `whsec_${randomBytes(32).toString('base64')}` },
          ],
          RetryAfter: ['PT24H'],
        },
      },
    };
    [ingress, browser] = await Promise.all([
      Ingress.create([], {
        plugins: [bellPlugin, agents.plugin(), outboundHttpPlugin, connectorNotifyPlugin],
        configuration,
      }),
      launchBrowser(),
    ]);
    admin = await ingress.server.client('admin', 'ada');
    await ingress.server.deploy(agentModel('write', 'writer'));
    await waitForApproval(admin, (await admin.startRun({ body: { workflowId: 'write' } })).runId);
  });

  after(async () => {
    await browser?.close();
    await ingress?.close();
    await service?.close();
  });

  afterEach(() => window.close());

  async function open(path: string, title: string): Promise<void> {
    window = await openWindow(browser, {
      url: ingress.server.url,
      token: await ingress.server.token('admin', { subject: 'ada' }),
    });
    ({ page } = window);
    keys = new Keyboard(page);
    await page.goto(ingress.server.url + path);
    await waitForHeading(title);
  }

  const waitForHeading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const main = () => page.getByRole('main');
  const dialog = (name: string) => page.getByRole('dialog', { name });

  it('should open an inbound event, redeliver it, and filter the list', async () => {
    // given
    await ingress.post(buildSignedRequest(buildEvent('by-keys')));
    await ingress.post(buildSignedRequest(buildEvent('another')));
    await open('/inbound-events', 'Inbound events');
    await page.getByRole('row', { name: /by-keys/ }).waitFor();

    // when
    await keys.tabTo('row', /another|by-keys/);
    await keys.press('j');
    await keys.expectFocus(page.getByRole('row', { name: /by-keys/ }));
    await keys.press('Enter');
    const event = dialog('Event ci.passed');
    await keys.expectFocusWithin(event);
    await keys.activate('button', 'Deliver again', { within: event });
    const confirmation = dialog('Deliver this event again?');
    await keys.expectFocusWithin(confirmation);
    await keys.activate('button', 'Deliver again', { within: confirmation });

    // then
    await page.getByText('No run is waiting for it.').waitFor();
    await confirmation.waitFor({ state: 'detached' });
    await keys.expectFocusWithin(event);
    await keys.press('Escape');
    await event.waitFor({ state: 'detached' });
    await keys.expectFocus(page.getByRole('row', { name: /by-keys/ }));

    // when
    await keys.fill('textbox', 'Message', 'nothing', { isBackward: true });
    await keys.press('Enter');
    await page.getByText('No matching events').waitFor();
    await keys.activate('button', 'Clear filters');

    // then
    await page.getByRole('row', { name: /by-keys/ }).waitFor();
    await keys.expectFocusWithin(main());
  });

  it('should open a failed outbound delivery, and send the notification again', async () => {
    // given
    service.respond = (_, response) => response.writeHead(410).end();
    await ingress.server.deploy(
      processModel(
        'notify',
        `<bpmn:startEvent id="start" />${connectorTask('tell', 'notify-webhook', { endpoint: 'desk', type: 'org.example.released', data: '={}' })}<bpmn:endEvent id="end" />`,
        'start > tell',
        'tell > end',
      ),
    );
    await waitUntilSettled(admin, (await admin.startRun({ body: { workflowId: 'notify' } })).runId);
    await open('/deliveries', 'Outbound deliveries');
    const row = page.getByRole('row', { name: /desk/ });
    await row.waitFor();

    // when: the user cancels
    await keys.tabTo('row', /desk/);
    await keys.press('Enter');
    const delivery = dialog('Delivery to desk');
    await keys.expectFocusWithin(delivery);
    await keys.activate('button', 'Send again', { within: delivery });
    const confirmation = dialog('Send this notification again?');
    await keys.expectFocusWithin(confirmation);
    await keys.press('Escape');
    await confirmation.waitFor({ state: 'detached' });
    await keys.expectFocus(delivery.getByRole('button', { name: 'Send again' }));

    // when: the user confirms
    service.respond = (_, response) => response.end();
    await keys.press('Enter');
    await keys.activate('button', 'Send again', { within: confirmation });

    // then
    await delivery.getByText('Delivered').waitFor();
    await confirmation.waitFor({ state: 'detached' });
    await keys.expectFocusWithin(delivery);
    await keys.press('Escape');
    await delivery.waitFor({ state: 'detached' });
    await keys.expectFocus(row);

    // when
    await keys.tabTo('combobox', 'Status', { isBackward: true });
    await keys.press('ArrowDown');
    await page.getByRole('option', { name: 'Failed' }).waitFor();
    await keys.press('End', 'Enter');

    // then
    await page.getByText('No matching deliveries').waitFor();
    await keys.expectFocusWithin(main());
    await keys.activate('button', 'Clear filters', { within: main() });
    await row.waitFor();
    await keys.expectFocusWithin(main());
  });

  it('should show the effect of a policy draft', async () => {
    // given
    await open('/policies', 'Policies');
    await keys.tabTo('tab', 'Decisions');
    await keys.press('End', 'Enter');
    await page.getByRole('button', { name: 'Evaluate' }).waitFor();
    const editor = page.getByRole('textbox', { name: 'Draft of more.cedar' });

    // when: the user adds a file, at first with an error
    await keys.activate('button', 'Add file');
    await keys.expectFocus(page.getByRole('textbox', { name: 'Name of the new file' }));
    await keys.type('more.cedar');
    await keys.press('Enter');
    await editor.waitFor();
    await keys.expectFocusWithin(main());
    await keys.tabTo('textbox', 'Draft of more.cedar');
    await keys.replaceText('permit');
    await keys.activate('button', 'Evaluate');
    await keys.activate('button', /more\.cedar, line 1/);
    await keys.expectFocus(editor);
    await keys.replaceText(UNATTENDED_POLICY);
    await keys.activate('button', 'Evaluate');

    // then
    const result = page.getByRole('region', { name: 'What would change' });
    await result.getByRole('row', { name: /note Needs approval.*Allowed.*Less strict/ }).waitFor();
    await keys.expectFocus(page.getByRole('button', { name: 'Evaluate' }));
    await keys.activate('link', 'work', { within: result });
    await keys.expectFocus(page.getByRole('dialog', { name: /^Step/ }));
  });

  it('should rotate a secret after cancelling the dialog once', async () => {
    // given
    await open('/settings?section=Integrations', 'Settings');
    const rotateButton = page.getByRole('button', { name: `Rotate ${SECRET_KEY}` });

    // when: the user cancels
    await keys.activate('button', `Rotate ${SECRET_KEY}`);
    const formDialog = page.getByRole('dialog');
    await keys.expectFocus(formDialog.getByLabel('New secret'));
    await keys.type(NEW_SECRET);
    await keys.press('Escape');
    await formDialog.waitFor({ state: 'detached' });
    await keys.expectFocus(rotateButton);

    // when: the user confirms
    await keys.press('Enter');
    await keys.expectFocus(formDialog.getByLabel('New secret'));
    expect(
      await formDialog.getByLabel('New secret').inputValue(),
      'the secret that was entered before cancelling is cleared',
    ).to.equal('');
    await keys.type(NEW_SECRET);
    await keys.press('Tab');
    await keys.expectFocus(formDialog.getByLabel('Repeat the secret'));
    await keys.type(NEW_SECRET);
    await keys.activate('button', 'Rotate', { within: formDialog });

    // then
    await page.getByText(`${SECRET_KEY} is rotated.`).waitFor();
    await formDialog.waitFor({ state: 'detached' });
    await keys.expectFocus(rotateButton);
    expect(await ingress.post(buildSignedRequest(buildEvent('rotated'), { secret: NEW_SECRET }))).to.include({
      status: 200,
    });
  });

  it('should change several settings, review and save them, and reset a setting', async () => {
    // given
    await open('/settings', 'Settings');
    const formDialog = page.getByRole('dialog');
    const review = dialog('Save these changes?');
    const editButton = page.getByRole('button', { name: 'Edit Runs:StuckAfter', exact: true });
    const getStuckAfter = async () => (await admin.getSettings()).items.find(({ key }) => key === 'Runs:StuckAfter');

    // when: the user finds a setting, cancels, enters an invalid value, and then a valid one
    await keys.fill('textbox', 'Search', 'stuck');
    await page
      .getByRole('group', { name: /^Agents:/ })
      .first()
      .waitFor({ state: 'detached' });
    await keys.activate('button', 'Edit Runs:StuckAfter', { exact: true });
    await keys.expectFocus(formDialog.getByRole('textbox', { name: 'Value' }));
    await keys.press('Escape');
    await formDialog.waitFor({ state: 'detached' });
    await keys.expectFocus(editButton);
    await keys.press('Enter');
    await keys.expectFocus(formDialog.getByRole('textbox', { name: 'Value' }));
    await keys.replaceText('soon');
    await keys.press('Enter');
    await formDialog.getByText('Enter a duration, for example PT10M.').waitFor();
    await keys.expectFocus(formDialog.getByRole('textbox', { name: 'Value' }));
    await keys.replaceText('PT9M');
    await keys.press('Enter');
    await formDialog.waitFor({ state: 'detached' });

    // then
    await page.getByText('1 change is not saved yet').waitFor();
    await keys.expectFocus(editButton);

    // when: the user changes a switch, and saves all changes
    await keys.fill('textbox', 'Search', 'replayed', { isBackward: true });
    await keys.tabTo('switch', 'Reject replayed bodies');
    await keys.press('Space');
    await page.getByText('2 changes are not saved yet').waitFor();
    await keys.activate('button', 'Review and save');
    await review.getByRole('row', { name: /Runs:StuckAfter/ }).waitFor();
    await keys.expectFocusWithin(review);
    await keys.press('Escape');
    await review.waitFor({ state: 'detached' });
    await keys.expectFocus(page.getByRole('button', { name: 'Review and save' }));
    await keys.press('Enter');
    await keys.activate('button', 'Save', { within: review });

    // then
    await page.getByText('2 changes are saved.').waitFor();
    await review.waitFor({ state: 'detached' });
    await keys.expectFocusWithin(main());
    expect(await getStuckAfter()).to.include({ source: 'override', value: 'PT9M' });

    // when
    await keys.fill('textbox', 'Search', 'stuck', { isBackward: true });
    await keys.activate('button', 'Reset Runs:StuckAfter');
    await page.getByText('1 change is not saved yet').waitFor();
    await keys.expectFocusWithin(main());
    await keys.activate('button', 'Review and save');
    await keys.activate('button', 'Save', { within: review });
    await page.getByText('1 change is saved.').waitFor();
    await review.waitFor({ state: 'detached' });
    await keys.expectFocusWithin(main());
    expect(await getStuckAfter()).to.include({ source: 'default' });
  });

  it('should review and accept a changed tool', async () => {
    // given
    const offered = {
      description: 'Reads a file.',
      inputSchema: { type: 'object' },
      effect: 'read' as const,
      reversible: true,
      digest: createDigest('2'),
    };
    agents.pins.push({
      name: 'files.read',
      source: 'files',
      accepted: { digest: createDigest('1'), at: 0, by: 'root' },
      offered,
      stopped: { code: 'tool_changed', message: 'It was changed.', since: 1_000 },
    });
    await open('/settings', 'Settings');
    const reviewButton = page.getByRole('button', { name: 'Review and accept files.read' });
    const confirmation = dialog('Accept files.read as it is now?');

    // when: the user cancels
    await keys.tabTo('tab', 'All settings');
    await keys.press('ArrowRight', 'ArrowRight');
    await reviewButton.waitFor();
    await keys.activate('button', 'Review and accept files.read');
    await keys.expectFocusWithin(confirmation);
    await keys.press('Escape');
    await confirmation.waitFor({ state: 'detached' });
    await keys.expectFocus(reviewButton);

    // when: the user confirms
    await keys.press('Enter');
    await keys.activate('button', 'Accept', { within: confirmation });

    // then: no tool is left to accept
    await page.getByRole('row', { name: /files\.read.*Agents may call it/ }).waitFor();
    await confirmation.waitFor({ state: 'detached' });
    await keys.expectFocusWithin(main());
    expect(agents.pins[0]).to.deep.include({ stopped: null });
  });

  it('should run the connection test of a target', async () => {
    // given
    await open('/settings', 'Settings');

    // when
    await keys.tabTo('tab', 'All settings');
    await keys.press('ArrowRight');
    await page.getByRole('button', { name: 'Test bell' }).waitFor();
    await keys.activate('button', 'Test bell');

    // then
    await page.getByRole('table', { name: 'Checks of bell' }).getByText('It rang.').waitFor();
    await keys.expectFocus(page.getByRole('button', { name: 'Test bell' }));
  });
});
