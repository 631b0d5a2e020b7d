import type { ServiceIdentifier } from 'inversify';
import type { JsonObject } from '@countersign/model';

export type DefinitionKind = 'agent' | 'policy' | 'tool';

export interface Definition {
  readonly kind: DefinitionKind;
  readonly name: string;
  /** `sha256:<hex>` over the RFC 8785 form of the content. */
  readonly digest: string;
  readonly content: JsonObject;
}

/**
 * What was in force by name and digest, kept forever: a step that began on an agent's definition goes on with it after
 * the file has changed, and an auditor can read the policy that decided.
 */
export interface DefinitionStore {
  /** The same again changes nothing. */
  saveDefinitions(definitions: readonly Definition[]): Promise<void>;
  findDefinition(kind: DefinitionKind, digest: string): Promise<Definition | undefined>;
}

export const DefinitionStore: ServiceIdentifier<DefinitionStore> = Symbol.for('@countersign/core:DefinitionStore');
