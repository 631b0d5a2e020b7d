import type { Client } from '@countersign/contract';
import type { FormDraft } from '../inbox/index.js';
import { Listeners } from '../ui/listeners.js';

/** The open decision forms, by approval. They outlive the page, so that navigation loses no text. */
export class FormStore {
  private forms: ReadonlyMap<string, FormDraft> = new Map();
  private readonly listeners = new Listeners();

  /** Returns the same map until a form changes. */
  readonly getSnapshot = (): ReadonlyMap<string, FormDraft> => this.forms;

  readonly subscribe = this.listeners.subscribe;

  /** @param form `undefined` closes the form */
  set(approvalId: string, form: FormDraft | undefined): void {
    const next = new Map(this.forms);
    if (form === undefined) next.delete(approvalId);
    else next.set(approvalId, form);
    this.forms = next;
    this.listeners.notify();
  }
}

const stores = new WeakMap<Client, FormStore>();

/** Returns the form store of a session. */
export function getFormStore(client: Client): FormStore {
  const store = stores.get(client) ?? new FormStore();
  stores.set(client, store);
  return store;
}
