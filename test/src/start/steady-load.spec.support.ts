import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface LoadOptions {
  readonly url: string;
  /** Bearer tokens of a user who may start runs, and of another user who may approve. */
  readonly starterToken: string;
  readonly approverToken: string;
  readonly workflowId: string;
  readonly clientCount: number;
}

/** Observations of a load driver so far. */
export interface Load {
  /** Number of responses by kind of request. */
  readonly responseCounts: Readonly<Record<'started' | 'decided' | 'read', number>>;
  readonly requests: number;
  /** Runs whose start was acknowledged, in order. */
  readonly runIds: readonly string[];
  /** Requests without the expected response. */
  readonly failures: readonly string[];
  /** Stops the load after each client has finished its current sequence of requests. */
  stop(): Promise<void>;
}

/**
 * Starts clients that sequentially start runs, read them and decide their approvals, on persistent connections. Nothing
 * is retried.
 */
export function startLoad({
  url,
  starterToken: starter,
  approverToken: approver,
  workflowId,
  clientCount: clients,
}: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true });
  const answered = { started: 0, decided: 0, read: 0 };
  const runIds: string[] = [];
  const failures: string[] = [];
  let requests = 0;
  let isStopped = false;

  const sendCountedRequest = async (
    method: string,
    path: string,
    token: string,
    expectedStatus: number,
    body?: object,
  ): Promise<unknown> => {
    requests += 1;
    try {
      const { status, content } = await sendRequest(agent, {
        url,
        method,
        path,
        token,
        ...(body === undefined ? {} : { body }),
      });
      if (status === expectedStatus) return JSON.parse(content);
      failures.push(`${method} ${path}: ${status} ${content.slice(0, 300)}`);
    } catch (error) {
      failures.push(`${method} ${path}: ${String(error)}`);
    }
    return undefined;
  };
  const runOnce = async (): Promise<void> => {
    const started = (await sendCountedRequest('POST', '/api/runs', starter, 201, { workflowId })) as
      { readonly runId: string } | undefined;
    if (started === undefined) return;
    answered.started += 1;
    runIds.push(started.runId);
    const page = (await sendCountedRequest('GET', `/api/approvals?runId=${started.runId}`, approver, 200)) as
      { readonly items: readonly { readonly approvalId: string }[] } | undefined;
    if (page === undefined) return;
    answered.read += 1;
    for (const { approvalId } of page.items) {
      if (
        (await sendCountedRequest('POST', `/api/approvals/${approvalId}/decision`, approver, 200, {
          decision: 'approve',
        })) !== undefined
      )
        answered.decided += 1;
    }
    if ((await sendCountedRequest('GET', `/api/runs/${started.runId}`, starter, 200)) !== undefined) answered.read += 1;
  };
  const allClients = Promise.all(
    Array.from({ length: clients }, async () => {
      while (!isStopped) await runOnce();
    }),
  );
  return {
    responseCounts: answered,
    runIds,
    failures,
    get requests() {
      return requests;
    },
    stop: async () => {
      isStopped = true;
      await allClients;
      agent.destroy();
    },
  };
}

interface RequestOptions {
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly body?: object;
}

function sendRequest(
  agent: Agent,
  { url, method, path, token, body }: RequestOptions,
): Promise<{ readonly status: number | undefined; readonly content: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const clientRequest = request(`${url}${path}`, { agent, method, headers }, (response) => {
      text(response).then((content) => resolve({ status: response.statusCode, content }), reject);
    });
    clientRequest.once('error', reject);
    clientRequest.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
