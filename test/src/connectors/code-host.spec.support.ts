import type { ServerResponse } from 'node:http';
import type { JsonObject } from '@countersign/core';
import { isoTimeIn } from '@countersign/testing';
import { startService, type Service, type ServiceCall } from './connectors.spec.support.js';

type ResponseHook = (call: ServiceCall, response: ServerResponse) => void;

/**
 * Failure of the next matching call: `respond` replaces the response, `afterResponse` runs after the host has acted.
 */
export interface Fault {
  readonly method: string;
  readonly respond?: ResponseHook;
  readonly afterResponse?: ResponseHook;
}

const PAGE_SIZE = 2;

/** Code host that implements the GitHub API as far as the connectors use it, with pages and GitHub's responses. */
export class CodeHost {
  readonly comments: {
    id: number;
    body: string;
    html_url: string;
    created_at: string;
    updated_at: string;
    user: { login: string };
  }[] = [];
  /** Labels of issue 7. */
  readonly labels: string[] = [];
  readonly statuses: JsonObject[] = [];
  readonly pulls: {
    number: number;
    html_url: string;
    title: string;
    body: string;
    state: string;
    draft: boolean;
    head: JsonObject;
    base: JsonObject;
  }[] = [];
  readonly faults: Fault[] = [];
  issueBody = 'The door squeaks loudly.';

  private constructor(readonly service: Service) {}

  static async start(): Promise<CodeHost> {
    const host = new CodeHost(await startService());
    host.service.respond = (call, response) => host.#handle(call, response);
    return host;
  }

  clear(): void {
    for (const list of [this.comments, this.labels, this.statuses, this.pulls, this.faults, this.service.calls])
      list.splice(0);
  }

  #handle(call: ServiceCall, response: ServerResponse): void {
    const index = this.faults.findIndex(({ method }) => method === call.method);
    const [fault] = index === -1 ? [] : this.faults.splice(index, 1);
    if (fault?.respond !== undefined) return fault.respond(call, response);
    const { status, body, headers } = this.#respond(call);
    if (fault?.afterResponse !== undefined) return fault.afterResponse(call, response);
    response
      .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body));
  }

  #respond(call: ServiceCall): { status: number; body: unknown; headers?: Record<string, string> } {
    const url = new URL(call.path, this.service.url);
    const requestBody = call.body === '' ? {} : (JSON.parse(call.body) as Record<string, string>);
    switch (`${call.method} ${url.pathname}`) {
      case 'GET /api/v3/user':
        return { status: 200, body: { id: 1, login: 'ada-bot' } };
      case 'GET /api/v3/repos/ada/engine/issues/7':
        return { status: 200, body: this.issue };
      case 'POST /api/v3/repos/ada/engine/issues/7/labels':
        for (const label of (requestBody as unknown as { labels: string[] }).labels)
          if (!this.labels.includes(label)) this.labels.push(label);
        return { status: 200, body: this.labels.map((name) => ({ name })) };
      case 'GET /api/v3/repos/ada/engine/issues/7/comments':
        return this.#paginate(
          url,
          this.comments.filter(({ updated_at }) => updated_at >= (url.searchParams.get('since') ?? '')),
        );
      case 'POST /api/v3/repos/ada/engine/issues/7/comments':
        return { status: 201, body: this.addComment(requestBody['body'] ?? '') };
      case `POST /api/v3/repos/ada/engine/statuses/${'c'.repeat(40)}`:
        this.statuses.push(requestBody);
        return { status: 201, body: { id: this.statuses.length, ...requestBody } };
      case 'GET /api/v3/repos/ada/engine/pulls':
        return this.#paginate(url, [...this.pulls].reverse());
      case 'POST /api/v3/repos/ada/engine/pulls': {
        if (this.pulls.some(({ state, head }) => state === 'open' && head['ref'] === requestBody['head']))
          return {
            status: 422,
            body: {
              message: 'Validation Failed',
              errors: [{ message: `A pull request already exists for ada:${requestBody['head']}.` }],
            },
          };
        return { status: 201, body: this.addPull(requestBody['head'] ?? '', requestBody) };
      }
      default:
        return { status: 404, body: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' } };
    }
  }

  get issue(): JsonObject {
    const labels = this.labels.map((name) => ({ name }));
    return {
      number: 7,
      title: 'It squeaks',
      state: 'open',
      user: { login: 'grace' },
      labels,
      comments: this.comments.length,
      html_url: 'https://git.example/ada/engine/issues/7',
      created_at: '2026-11-01T09:00:00Z',
      body: this.issueBody,
    };
  }

  addComment(body: string, updatedAt = isoTimeIn(0)): JsonObject {
    const id = this.comments.length + 1;
    const comment = {
      id,
      body,
      html_url: `https://git.example/ada/engine/issues/7#${id}`,
      created_at: updatedAt,
      updated_at: updatedAt,
      user: { login: 'grace' },
    };
    this.comments.push(comment);
    return comment;
  }

  addPull(ref: string, overrides: Record<string, unknown> = {}, state = 'open', repository = 'ada/engine'): JsonObject {
    const number = this.pulls.length + 1;
    const pull = {
      number,
      html_url: `https://git.example/ada/engine/pull/${number}`,
      title: '',
      body: '',
      draft: false,
      ...overrides,
      state,
      head: { ref, repo: { full_name: repository } },
      base: { ref: 'main' },
    };
    this.pulls.push(pull);
    return pull;
  }

  #paginate(url: URL, all: readonly unknown[]): { status: number; body: unknown; headers: Record<string, string> } {
    const page = Number(url.searchParams.get('page') ?? '1');
    const next = new URL(url);
    next.searchParams.set('page', String(page + 1));
    const headers: Record<string, string> = all.length > page * PAGE_SIZE ? { Link: `<${next.href}>; rel="next"` } : {};
    return { status: 200, body: all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE), headers };
  }
}
