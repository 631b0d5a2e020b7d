import { connectorNotifyPlugin } from '@countersign/connector-notify';
import type { Client } from '@countersign/contract';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { processModel } from '@countersign/testing';
import { expect } from 'chai';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { connectorTask, startService, waitUntilSettled, type Service } from '../connectors/connectors.spec.support.js';
import { buildEvent, Ingress, buildSignedRequest } from '../event-ingress/ingress.spec.support.js';
import { expectProblem } from '../http/http.spec.support.js';
import { HOSTILE_MARKUP } from './drawn-model.spec.support.js';
import {
  expectAccessible,
  expectCount,
  hasBrowser,
  launchBrowser,
  openWindow,
  type Window,
} from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: inbound events and outbound deliveries', function () {
  this.timeout(60_000);
  let ingress: Ingress;
  let service: Service;
  let browser: Browser;
  let viewer: Client;

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
      Ingress.create([], { plugins: [outboundHttpPlugin, connectorNotifyPlugin], configuration }),
      launchBrowser(),
    ]);
    viewer = await ingress.server.client('viewer', 'vera');
    await ingress.server.deploy(
      processModel(
        'notify',
        `<bpmn:startEvent id="start" />${connectorTask('tell', 'notify-webhook', { endpoint: 'desk', type: 'org.example.released', data: '={}' })}<bpmn:endEvent id="end" />`,
        'start > tell',
        'tell > end',
      ),
    );
  });

  after(async () => {
    await browser?.close();
    await ingress.close();
    await service.close();
  });

  async function open(
    path: string,
    role: 'viewer' | 'operator' = 'operator',
    colorScheme: 'light' | 'dark' = 'light',
  ): Promise<Window> {
    const window = await openWindow(browser, {
      url: ingress.server.url,
      token: await ingress.server.token(role),
      colorScheme,
    });
    await window.page.goto(ingress.server.url + path);
    return window;
  }
  const deliverEvent = async (key: string, payload = {}) =>
    String((await ingress.post(buildSignedRequest(buildEvent(key, 'ci.passed', payload)))).body['eventId']);

  it('should list new events live, filter them by status, and show the payload as plain text', async () => {
    // given
    const key = randomUUID();
    const runId = await ingress.startWaitingRun(key);
    await deliverEvent(key, { title: HOSTILE_MARKUP, build: 7 });
    const window = await open('/inbound-events');
    const { page } = window;
    await page.getByRole('row', { name: new RegExp(`ci.passed ${key}`) }).waitFor();

    // when more events arrive
    const laterKey = `later-${randomUUID()}`;
    await deliverEvent(laterKey);
    await page.getByRole('row', { name: new RegExp(`${laterKey}.*No matching run`) }).waitFor();
    await expectAccessible(page);

    // then
    await page.goto(`${ingress.server.url}/inbound-events?status=matched&source=shop`);
    await page.getByRole('row', { name: new RegExp(key) }).focus();
    await expectCount(page.getByRole('row', { name: new RegExp(laterKey) }), 0);
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Event ci.passed' });
    expect(await panel.getByRole('link', { name: `Resumed run ${runId}` }).getAttribute('href')).to.contain(
      `/runs/${runId}`,
    );
    await panel.getByText('countersignFault').first().waitFor();
    await expectCount(panel.getByRole('button', { name: 'Deliver again' }), 0);
    expect(page.url()).to.contain('event=');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await page.getByRole('row', { name: new RegExp(laterKey) }).waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('nothing');
    await page.keyboard.press('Enter');
    await page.getByText('No matching events').waitFor();
    expect(page.url()).to.contain('message=nothing');
    await window.close();
  });

  it('should keep the focus on an event when newer events appear above it', async () => {
    // given
    const [olderEventId, focusedEventId] = [await deliverEvent(randomUUID()), await deliverEvent('focused')];
    const window = await open('/inbound-events');
    const { page } = window;
    await page.locator('[data-live="live"]').waitFor();
    await page.getByRole('row', { name: /focused/ }).focus();

    // when
    await deliverEvent('above');
    await page.getByRole('row', { name: /above/ }).waitFor();
    await page.keyboard.press('Enter');

    // then
    await page.waitForURL((url) => url.searchParams.get('event') === focusedEventId);
    await page.getByRole('dialog', { name: 'Event ci.passed' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /focused/ }).focus();
    await deliverEvent('more');
    await page.getByRole('row', { name: /more/ }).waitFor();
    await page.keyboard.press('j');
    await page.locator(`[data-key="${olderEventId}"]:focus`).waitFor();

    // when: a new event takes the position of another one, and the user opens it
    await page.getByRole('row', { name: /more/ }).focus();
    const newestEventId = await deliverEvent('newest');
    await page.getByRole('row', { name: /newest/ }).waitFor();
    await page.getByRole('row', { name: /newest/ }).press('Enter');

    // then
    await page.waitForURL((url) => url.searchParams.get('event') === newestEventId);
    await window.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`should redeliver an unmatched event after confirmation (${colorScheme})`, async () => {
      const key = randomUUID();
      const eventId = await deliverEvent(key);
      const window = await open(`/inbound-events?event=${eventId}`, 'operator', colorScheme);
      const { page } = window;
      const panel = page.getByRole('dialog', { name: 'Event ci.passed' });
      const deliverAgain = async () => {
        await panel.getByRole('button', { name: 'Deliver again' }).click();
        const confirmationDialog = page.getByRole('dialog', { name: 'Deliver this event again?' });
        await confirmationDialog.getByText(`with the key “${key}”`).waitFor();
        await expectAccessible(page);
        await confirmationDialog.getByRole('button', { name: 'Deliver again' }).click();
        await confirmationDialog.waitFor({ state: 'detached' });
      };
      await panel.getByText('It neither resumed nor started a run.').waitFor();
      await expectAccessible(page);
      await deliverAgain();
      await page.getByText('No run is waiting for it.').waitFor();
      const runId = await ingress.startWaitingRun(key);
      await deliverAgain();
      await panel.getByRole('link', { name: `Resumed run ${runId}` }).waitFor();
      expect((await ingress.requireRun(runId)).outcome).to.equal('completed');
      await window.close();
    });
  }

  it('should show the status of an outbound delivery, and send the notification again', async () => {
    // given
    service.respond = (_, response) => response.writeHead(410).end();
    const { runId } = await viewer.startRun({ body: { workflowId: 'notify' } });
    await waitUntilSettled(viewer, runId);
    const window = await open('/deliveries');
    const { page } = window;

    // when
    // A held delivery waits for an operator, so it shows no time.
    expect(
      await page
        .getByRole('row', { name: /desk Paused tell/ })
        .getByRole('gridcell')
        .last()
        .innerText(),
    ).to.equal('');
    await page.getByRole('row', { name: /desk Paused tell/ }).focus();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Delivery to desk' });
    expect(await panel.getByRole('link', { name: runId }).getAttribute('href')).to.contain(`/runs/${runId}`);
    await panel.getByText('410').first().waitFor();
    await expectAccessible(page);
    service.respond = (_, response) => response.end();
    await panel.getByRole('button', { name: 'Send again' }).click();
    const confirmationDialog = page.getByRole('dialog', { name: 'Send this notification again?' });
    await confirmationDialog.getByText('The endpoint is disabled.').waitFor();
    await confirmationDialog.getByRole('button', { name: 'Send again' }).click();

    // then
    await panel.getByText('Delivered').waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${ingress.server.url}/deliveries?status=failed`);
    await page.getByText('No matching deliveries').waitFor();
    await window.close();
  });

  it('should allow access to operators only', async () => {
    expect(await expectProblem(viewer.listInboundEvents())).to.include({ status: 403 });
    expect(await expectProblem(viewer.listOutboundDeliveries())).to.include({ status: 403 });
    const window = await open('/inbound-events', 'viewer');
    await window.page.getByRole('alert').waitFor();
    await expectCount(window.page.getByRole('link', { name: 'Inbound events' }), 0);
    await window.page.goto(`${ingress.server.url}/deliveries`);
    await window.page.getByRole('alert').waitFor();
    await window.close();
  });
});
