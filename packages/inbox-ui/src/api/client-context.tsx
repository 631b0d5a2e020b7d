import type { Client } from '@countersign/contract';
import { createContext, useContext } from 'react';

export const ClientContext = createContext<Client | undefined>(undefined);

/** Returns the API client, which sends the session's token. */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === undefined) throw new Error('Render this component inside ClientContext.Provider.');
  return client;
}
