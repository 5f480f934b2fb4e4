// What draws a picture of the open room and signs it, and draws a link as a code: one value, which a page
// that a server answers fetches when one of them is asked for.

import { drawPicture } from "./picture.js";
import { qrCodeOf, drawnCode } from "./qr.js";
import { pngOf, signatureOf, signedSvg } from "./signed.js";

export const drawing = { qrCodeOf, drawPicture, drawnCode, pngOf, signatureOf, signedSvg };
