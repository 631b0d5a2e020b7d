import type { JsonObject } from '@countersign/core';
import { processModel, type TestHost } from '@countersign/testing';
import { randomBytes } from 'node:crypto';
import { cp, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectorTask, type Service } from '../connectors/connectors.spec.support.js';
import { buildEvent, post, SECRET, buildSignedRequest } from '../event-ingress/ingress.spec.support.js';
import { receivingModel } from '../messages/messages.spec.support.js';

export const POLICIES = fileURLToPath(new URL('../../../packages/plugins/policy-cedar/policies/', import.meta.url));

/** Quotes a text for Cedar, with its escape sequences. */
const quoteCedarString = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Configures a server whose operator writes hostile text, too: in policies and in names of endpoints and sources. */
export async function createHostileConfiguration(
  directory: string,
  service: Service,
  hostile: string,
): Promise<JsonObject> {
  await cp(POLICIES, directory, { recursive: true });
  await writeFile(
    join(directory, 'hostile.cedar'),
    `@id("hostile.step") @rationale(${quoteCedarString(hostile)}) @advice(${quoteCedarString(hostile)})\npermit (principal is Engine, action == Action::"perform", resource is Step);\n` +
      `@id("hostile.risk") @risk("hostile") @weight("1") @description(${quoteCedarString(hostile)})\npermit (principal, action == Action::"weighStep", resource is Step);\n`,
  );
  return {
    Policies: { Directory: directory },
    Integrations: { EventIngress: { Enabled: true, Sources: [{ Id: 'shop', Secret: SECRET }] } },
    Connectors: {
      AllowedNetworks: ['127.0.0.1'],
      Notify: {
        Endpoints: [{ Id: 'desk', Url: `${service.url}/hook`, Secret: `whsec_${randomBytes(32).toString('base64')}` }],
        RetryAfter: ['PT24H'],
      },
    },
  };
}

/** Sends hostile data from outside: events with hostile keys and payloads, and refusals of an endpoint. */
export async function createHostileExternalData(
  countersign: TestHost,
  service: Service,
  hostile: string,
): Promise<void> {
  service.answer = (_, response) =>
    void response
      .writeHead(500, hostile.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 200), { 'content-type': 'text/html' })
      .end(hostile);
  const viewer = await countersign.client('viewer');
  await countersign.deploy(receivingModel('gate', 'ci.passed'));
  await countersign.deploy(
    processModel(
      'notify',
      `<bpmn:startEvent id="start" />${connectorTask('tell', 'notify-webhook', { endpoint: 'desk', type: 'org.example.released', data: '={}' })}<bpmn:endEvent id="end" />`,
      'start > tell',
      'tell > end',
    ),
  );
  const key = hostile.slice(0, 200);
  await viewer.startRun({ body: { workflowId: 'gate', inputs: { key } } });
  await viewer.startRun({ body: { workflowId: 'notify' } });
  const agent = new Agent();
  for (const [correlationKey, message] of [
    [key, 'ci.passed'],
    [key, 'ci.failed'],
  ] as const)
    await post(
      `${countersign.url}/webhooks/events`,
      buildSignedRequest(buildEvent(correlationKey, message, { title: hostile, [hostile.slice(0, 60)]: [hostile] })),
      agent,
    );
  agent.destroy();
}
