import { dirname, join, resolve } from 'node:path';

const scheme = 's3://';

/** Whether a name is that of a bucket, or of something in one: `s3://bucket/prefix`. */
export function isBucketAddress(name: string): boolean {
  return name.startsWith(scheme);
}

/** The absolute form of a place's name. */
export function addressOf(directory: string, name: string): string {
  return isBucketAddress(name) ? name.replace(/(?<=[^/])\/+$/, '') : resolve(directory, name);
}

/** The bucket of an address, and the key within it; '' is the whole bucket. */
export function bucketAndKey(address: string): { readonly bucket: string; readonly key: string } {
  const rest = address.slice(scheme.length);
  const end = rest.indexOf('/');
  return end < 0 ? { bucket: rest, key: '' } : { bucket: rest.slice(0, end), key: rest.slice(end + 1) };
}

/** A file's name after that of the place that it is in, for people. */
export function nameUnder(place: string, file = ''): string {
  if (!isBucketAddress(place)) return join(place, file);
  return [addressOf('', place), file].filter((part) => part !== '').join('/');
}

/** The address of the place that a file is in. */
export function parentOf(file: string): string {
  return isBucketAddress(file) ? file.slice(0, file.lastIndexOf('/')) : dirname(file);
}
