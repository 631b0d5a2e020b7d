import type { Me } from '@countersign/contract';
import { useMemo } from 'react';
import { createEngineSupport, type EngineSupport } from '../inbox/engine-support.js';
import { useSession } from './session.js';

/** Returns what the engine of the server can do. What it cannot do is not offered; the server refuses it as well. */
export function useEngineSupport(): EngineSupport {
  // A server that is older than the client does not describe its engine. Such an engine can do everything.
  const { engine }: Partial<Pick<Me, 'engine'>> = useSession().me;
  return useMemo(() => createEngineSupport(engine), [engine]);
}
