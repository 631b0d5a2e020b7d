import type { ServiceIdentifier } from 'inversify';
import type { JsonObject } from '@countersign/model';

export type DefinitionKind = 'agent' | 'policy' | 'tool';

export interface Definition {
  readonly kind: DefinitionKind;
  readonly name: string;
  /** `sha256:<hex>` of the RFC 8785 form of the content. */
  readonly digest: string;
  readonly content: JsonObject;
}

/**
 * Stores every policy and agent definition that was in force, permanently. An agent step continues with the definition
 * that it started with, even if the file has changed, and an auditor can read the policy behind a decision.
 */
export interface DefinitionStore {
  /** Stores a definition. Storing the same content again changes nothing. */
  saveDefinitions(definitions: readonly Definition[]): Promise<void>;
  findDefinition(kind: DefinitionKind, digest: string): Promise<Definition | undefined>;
}

export const DefinitionStore: ServiceIdentifier<DefinitionStore> = Symbol.for('@countersign/core:DefinitionStore');
