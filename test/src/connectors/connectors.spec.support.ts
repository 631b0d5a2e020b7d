import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client, RunEvent } from '@countersign/contract';
import { processModel } from '@countersign/testing';

export interface ServiceCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Service on this machine that connectors call. */
export interface Service {
  readonly url: string;
  /** Host in the format of an allow-list. */
  readonly host: string;
  readonly calls: ServiceCall[];
  respond: (call: ServiceCall, response: ServerResponse) => void;
  close(): Promise<void>;
}

export async function startService(): Promise<Service> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      service.calls.push(call);
      service.respond(call, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const service: Service = {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    calls: [],
    respond: (_, response) => response.end(),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return service;
}

type ConnectorElement = 'serviceTask' | 'intermediateThrowEvent' | 'endEvent';

/** Returns a service task or message event of a connector, as Camunda Modeler writes it from an element template. */
export function connectorTask(
  id: string,
  jobType: string,
  inputs: Readonly<Record<string, string>>,
  resultVariable = 'answer',
  element: ConnectorElement = 'serviceTask',
): string {
  const mappings = Object.entries(inputs).map(
    ([target, source]) => `<zeebe:input source="${escapeXml(source)}" target="${target}" />`,
  );
  return `<bpmn:${element} id="${id}"><bpmn:extensionElements><zeebe:taskDefinition type="${jobType}" retries="3" />
<zeebe:ioMapping>${mappings.join('')}</zeebe:ioMapping>
<zeebe:taskHeaders><zeebe:header key="resultVariable" value="${resultVariable}" /></zeebe:taskHeaders></bpmn:extensionElements>${element === 'serviceTask' ? '' : '<bpmn:messageEventDefinition />'}</bpmn:${element}>`;
}

/** Returns a BPMN model with one connector element. */
export function connectorModel(
  workflowId: string,
  id: string,
  jobType: string,
  inputs: Readonly<Record<string, string>>,
  element: ConnectorElement = 'serviceTask',
): string {
  const work = connectorTask(id, jobType, inputs, undefined, element);
  const start = `<bpmn:startEvent id="start" />${work}`;
  return element === 'endEvent'
    ? processModel(workflowId, start, `start > ${id}`)
    : processModel(workflowId, `${start}<bpmn:endEvent id="end" />`, `start > ${id}`, `${id} > end`);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Returns the events of a run once it has ended or one of its steps has an error. */
export async function waitUntilSettled(client: Client, runId: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of client.streamRunEvents({ runId })) {
    events.push(event);
    if (event.type === 'step.failed') break;
  }
  return events;
}
