export { isInStore, parseStoreUrl, type S3Access, type StorePlace } from "./store-place.ts";
export { StoreError } from "./store-error.ts";
export { createS3Client, type OpenObject, type S3Client } from "./s3-client.ts";
export type { StoreContent } from "./store-requests.ts";
export type { ListedPage, StoredObject } from "./listing.ts";
