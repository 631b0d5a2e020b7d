import { readDefinitions } from '@countersign/inbox-ui/diagram/read-definitions';
import { useQuery } from '@tanstack/react-query';
import { modelOf, type Model } from './read-model.js';

/** A model, read in the browser; `undefined` while it is read and where it can't be. */
export function useModel(xml: string): Model | undefined {
  const { data } = useQuery({
    queryKey: ['model', xml],
    queryFn: async () => modelOf(await readDefinitions(xml)),
    staleTime: 'static',
    gcTime: 0,
  });
  return data;
}
