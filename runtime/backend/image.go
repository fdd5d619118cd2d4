package backend

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
)

// LargestImage is the largest image that a model is shown, in bytes. Providers
// bound what goes over the wire, 5 MiB of base64, and that is a third more.
const LargestImage = 5 << 20 / 4 * 3

// What one request shows at most: with more images providers refuse large ones,
// and all of it has to fit into a body of 32 MiB.
const (
	MostImages = 20
	ImageRoom  = 28 << 20 // bytes of data URLs
)

// mediaTypes are the images that every provider takes.
var mediaTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// Image makes what a message holds, a data URL, of an image's bytes. Its media
// type is what the bytes are, whatever a name says. The error tells of bytes that
// are too many or no image that models take.
func Image(content []byte) (url, mediaType string, err error) {
	if len(content) > LargestImage {
		return "", "", fmt.Errorf("it is larger than %d KiB, the most that a model is shown", LargestImage>>10)
	}
	mediaType = http.DetectContentType(content)
	if !slices.Contains(mediaTypes, mediaType) {
		return "", "", errors.New("it holds no PNG, JPEG, GIF or WebP image")
	}
	return "data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(content), mediaType, nil
}
