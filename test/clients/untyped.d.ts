declare module 'relay-runtime';
declare module 'apollo-upload-client/UploadHttpLink.mjs';
