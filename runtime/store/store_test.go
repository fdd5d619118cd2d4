package store_test

import (
	"testing"

	"iterion/runtime/store"
	"iterion/runtime/store/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return &store.Memory{} })
}
