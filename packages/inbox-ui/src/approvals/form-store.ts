import type { Client } from '@countersign/contract';
import type { FormDraft } from '../inbox/index.js';
import { Listeners } from '../ui/listeners.js';

/** The open forms of decisions, by approval. They outlive the page, so that looking at something else loses no words. */
export class FormStore {
  private forms: ReadonlyMap<string, FormDraft> = new Map();
  private readonly listeners = new Listeners();

  /** The same map as long as nothing changes. */
  readonly all = (): ReadonlyMap<string, FormDraft> => this.forms;

  readonly subscribe = this.listeners.subscribe;

  /** @param form `undefined` closes it */
  set(approvalId: string, form: FormDraft | undefined): void {
    const next = new Map(this.forms);
    if (form === undefined) next.delete(approvalId);
    else next.set(approvalId, form);
    this.forms = next;
    this.listeners.notify();
  }
}

const stores = new WeakMap<Client, FormStore>();

/** The forms of a session. */
export function formStoreOf(client: Client): FormStore {
  const store = stores.get(client) ?? new FormStore();
  stores.set(client, store);
  return store;
}
