const ANY_TYPE = '*/*';

/**
 * Returns the media types that the OpenAPI document lists for a media type of a route. Bytes of any type are also
 * listed as `application/octet-stream`: generated clients send the first type literally, and some do not support media
 * ranges.
 */
export function toDocumentedTypes(type: string): string[] {
  return type === ANY_TYPE ? ['application/octet-stream', ANY_TYPE] : [type];
}
