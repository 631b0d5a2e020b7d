import { readDefinitions } from '@countersign/inbox-ui/diagram/read-definitions';
import { useQuery } from '@tanstack/react-query';
import { buildModel, type Model } from './read-model.js';

/** Reads a BPMN model in the browser; `undefined` while it is being read or if it is unreadable. */
export function useModel(xml: string): Model | undefined {
  const { data } = useQuery({
    queryKey: ['model', xml],
    queryFn: async () => buildModel(await readDefinitions(xml)),
    staleTime: 'static',
    gcTime: 0,
  });
  return data;
}
