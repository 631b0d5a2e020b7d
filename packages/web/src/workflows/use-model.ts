import { useQuery } from '@tanstack/react-query';
import { readModel, type Model } from './read-model.js';

/** A model, read in the browser; `undefined` while it is read and where it can't be. */
export function useModel(xml: string): Model | undefined {
  const { data } = useQuery({ queryKey: ['model', xml], queryFn: () => readModel(xml), staleTime: Infinity, gcTime: 0 });
  return data;
}
